import { spawnSync } from "node:child_process"

const hooks = [
  { "event": "tool.execute.after", "command": "sh .instr/scripts/format.sh --quiet 'it'\\''s here'", "matcher": "Edit|Write", "timeout": 30500 },
  { "event": "tool.execute.before", "command": "node 'tools/check command.mjs' '--deny=rm -rf'", "matcher": "bash", "timeout": 5000 },
  { "event": "session.created", "command": "echo welcome \"${SHOP_NAME:-to the shop}\"" },
  { "event": "session.idle", "command": "cd packages/web && echo done" },
  { "event": "chat.message", "command": "node tools/count.mjs" },
  { "event": "experimental.session.compacting", "command": "node tools/notes.mjs" }
]

const fits = (matcher, tool = "") => {
  if (matcher === undefined || matcher === "*") return true
  try {
    return new RegExp(`^(?:${matcher})$`, "i").test(tool)
  } catch {
    return matcher === tool
  }
}

export const Hooks = async ({ directory, worktree }) => {
  const subagents = new Set()
  const cwd = worktree && worktree !== "/" ? worktree : directory
  const run = (event, tool, input) => {
    for (const hook of hooks) {
      if (hook.event !== event || !fits(hook.matcher, tool)) continue
      const result = spawnSync(hook.command, {
        shell: true,
        cwd,
        input: JSON.stringify({ hook_event_name: event, cwd, tool_name: tool, ...input }),
        encoding: "utf8",
        timeout: hook.timeout,
      })
      if (result.status === 2) throw new Error(result.stderr || `${hook.command} refused`)
    }
  }
  return {
    "tool.execute.before": async (input, output) =>
      run("tool.execute.before", input.tool, { session_id: input.sessionID, tool_input: output.args }),
    "tool.execute.after": async (input, output) =>
      run("tool.execute.after", input.tool, { session_id: input.sessionID, tool_input: input.args, tool_output: output.output }),
    "chat.message": async (input, output) => {
      if (subagents.has(input.sessionID)) return
      run("chat.message", undefined, {
        session_id: input.sessionID,
        prompt: output.parts.map((part) => part.text ?? "").join("\n"),
      })
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      try {
        run("experimental.session.compacting", undefined, { session_id: sessionID })
      } catch {
        // Nothing stops it: what a program would refuse goes on.
      }
    },
    event: async ({ event: { type, properties } }) => {
      const { sessionID, info } = properties ?? {}
      const id = sessionID ?? info?.id
      if (type === "session.created" && info?.parentID) subagents.add(id)
      // A sub-agent works in a session of its own, which is not the user's.
      const event = subagents.has(id) ? type.replace(/^session\./, "subagent.") : type
      try {
        run(event, undefined, { session_id: id, ...properties })
      } catch {
        // Nothing is left to stop.
      }
    },
  }
}

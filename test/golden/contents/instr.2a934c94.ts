import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const hooks = [
  { "event": "tool.result", "command": "sh .instr/scripts/format.sh --quiet 'it'\\''s here'", "matcher": "Edit|Write", "timeout": 30500 },
  { "event": "shell.call", "command": "node 'tools/check command.mjs' '--deny=rm -rf'", "timeout": 5000 },
  { "event": "session.start", "command": "echo welcome \"${SHOP_NAME:-to the shop}\"" },
  { "event": "agent.end", "command": "cd packages/web && echo done" },
  { "event": "agent.start", "command": "node tools/count.mjs" }
]

const fits = (matcher, tool = "") => {
  if (matcher === undefined || matcher === "*") return true
  try {
    return new RegExp(`^(?:${matcher})$`, "i").test(tool)
  } catch {
    return matcher === tool
  }
}

const above = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const cwd = existsSync(join(above, ".amp", "plugins")) ? above : process.cwd()

// The words of the first program that refuses, with status 2.
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
    if (result.status === 2) return result.stderr || `${hook.command} refused`
  }
}

export default function (amp) {
  const isShell = (event) => Boolean(amp.helpers?.shellCommandFromToolCall?.(event))
  // What happened, with the name of how it ended when that was not well.
  const ended = (name, { status }) => (status === "done" ? name : `${name}.${status}`)
  amp.on("session.start", (event) => {
    run("session.start", undefined, { session_id: event.thread?.id })
  })
  amp.on("agent.start", (event) => {
    run("agent.start", undefined, { session_id: event.thread?.id, prompt: event.message })
    return {}
  })
  amp.on("tool.call", (event) => {
    const input = { session_id: event.thread?.id, tool_input: event.input }
    const message = run("tool.call", event.tool, input) || (isShell(event) && run("shell.call", event.tool, input))
    return message ? { action: "reject-and-continue", message } : { action: "allow" }
  })
  amp.on("tool.result", (event) => {
    const input = { session_id: event.thread?.id, tool_input: event.input, tool_output: event.output, error: event.error }
    run(ended("tool.result", event), event.tool, input)
    if (isShell(event)) run("shell.result", event.tool, input)
  })
  amp.on("agent.end", (event) => {
    run(ended("agent.end", event), undefined, { session_id: event.thread?.id })
  })
}

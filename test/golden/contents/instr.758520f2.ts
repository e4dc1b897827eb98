import { spawnSync } from "node:child_process"

const hooks = [
  { "event": "tool_result", "command": "sh .instr/scripts/format.sh --quiet 'it'\\''s here'", "matcher": "Edit|Write", "timeout": 30500 },
  { "event": "tool_call", "command": "node 'tools/check command.mjs' '--deny=rm -rf'", "matcher": "bash", "timeout": 5000 },
  { "event": "session_start", "command": "echo welcome \"${SHOP_NAME:-to the shop}\"" },
  { "event": "agent_settled", "command": "cd packages/web && echo done" },
  { "event": "input", "command": "node tools/count.mjs" },
  { "event": "session_before_compact", "command": "node tools/notes.mjs" }
]

const fits = (matcher, tool = "") => {
  if (matcher === undefined || matcher === "*") return true
  try {
    return new RegExp(`^(?:${matcher})$`, "i").test(tool)
  } catch {
    return matcher === tool
  }
}

export default function (pi) {
  // The words of the first program that refuses, with status 2.
  const run = (event, { cwd, sessionManager }, tool, input) => {
    for (const hook of hooks) {
      if (hook.event !== event || !fits(hook.matcher, tool)) continue
      const result = spawnSync(hook.command, {
        shell: true,
        cwd,
        input: JSON.stringify({ hook_event_name: event, cwd, tool_name: tool, session_id: sessionManager?.getSessionId?.(), ...input }),
        encoding: "utf8",
        timeout: hook.timeout,
      })
      if (result.status === 2) return result.stderr || `${hook.command} refused`
    }
  }
  pi.on("tool_call", (event, ctx) => {
    const reason = run("tool_call", ctx, event.toolName, { tool_input: event.input })
    if (reason) return { block: true, reason }
  })
  pi.on("tool_result", (event, ctx) => {
    const { toolName, input, content, isError } = event
    run(isError ? "tool_result.error" : "tool_result", ctx, toolName, { tool_input: input, tool_output: content })
  })
  pi.on("input", (event, ctx) => {
    if (event.source === "extension") return
    const reason = run("input", ctx, undefined, { prompt: event.text })
    if (!reason) return
    if (ctx.hasUI) ctx.ui.notify(reason, "error")
    return { action: "handled" }
  })
  pi.on("message_end", ({ message }, ctx) => {
    if (message.role === "assistant") run("message_end", ctx)
  })
  pi.on("session_before_compact", ({ reason }, ctx) => {
    if (run("session_before_compact", ctx, undefined, { trigger: reason })) return { cancel: true }
  })
  // A session that reads its extensions again neither starts nor ends.
  for (const name of ["session_start", "session_shutdown"])
    pi.on(name, ({ reason }, ctx) => {
      if (reason !== "reload") run(name, ctx, undefined, { reason })
    })
  for (const name of ["before_provider_request", "model_select", "session_compact", "agent_settled"])
    pi.on(name, (_event, ctx) => {
      run(name, ctx)
    })
}

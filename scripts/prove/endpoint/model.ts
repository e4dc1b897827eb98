import { fill } from '../client.ts';
import type { Answer, Asked } from './protocol.ts';

/** One tool call that the model makes. */
export interface Step {
  readonly name: string;
  /** The tool name, or the end of it. */
  readonly tool: string;
  readonly input: unknown;
  /** Whether the tool may be called if only a text names it: some clients describe tools instead of listing them. */
  readonly unlisted?: boolean;
  /** End of a file path in the request. The full path replaces `{skill}` in the input. */
  readonly skill?: string;
}

export interface Model {
  answer(asked: Asked): Answer;
  /** Whether a request belongs to the conversation itself, not to a title, a summary or a sub-agent. */
  isMain(asked: Asked): boolean;
  /** Names of the steps that were called so far. */
  readonly done: readonly string[];
}

/**
 * A model that makes one call of `steps` per request of the conversation and then ends the turn. Steps whose tool is not
 * offered are skipped. A repeated request gets the same answer. `mark` is a word of the user's prompt, which only the
 * conversation itself contains.
 */
export function scriptedModel(steps: readonly Step[], mark: string): Model {
  const issued: Issued[] = [];
  const isMain = (asked: Asked) =>
    asked.texts.some(text => text.includes(mark)) && (steps.length === 0 || asked.tools.length > 0);
  return {
    isMain,
    get done() {
      return issued.map(({ step }) => step.name);
    },
    answer(asked) {
      if (!isMain(asked)) return { text: 'Done.' };
      const before = issued[asked.calls - 1];
      if (!issued[asked.calls] && issued.length === asked.calls) {
        const next = nextStep(steps, (before?.at ?? -1) + 1, asked);
        if (next) issued.push(next);
      }
      const now = issued[asked.calls];
      if (!now) return { text: 'Done.' };
      return { call: { id: `call_${now.step.name}`, name: now.tool, input: now.input } };
    },
  };
}

interface Issued {
  readonly step: Step;
  readonly tool: string;
  readonly input: unknown;
  readonly at: number;
}

function nextStep(steps: readonly Step[], from: number, asked: Asked): Issued | undefined {
  for (const [at, step] of steps.entries()) {
    const tool = at < from ? undefined : toolOf(step, asked);
    const input = tool === undefined ? undefined : inputOf(step, asked);
    if (tool !== undefined && input !== undefined) return { step, tool, input, at };
  }
  return undefined;
}

function toolOf(step: Step, { tools, texts }: Asked): string | undefined {
  const name = tools.find(tool => tool === step.tool) ?? tools.find(tool => tool.endsWith(step.tool));
  if (name !== undefined) return name;
  return step.unlisted && texts.some(text => text.includes(step.tool)) ? step.tool : undefined;
}

/** The input of a step with the file path from the request, or nothing if the request does not contain the path. */
function inputOf({ input, skill }: Step, { texts }: Asked): unknown {
  if (skill === undefined || !JSON.stringify(input).includes('{skill}')) return input;
  const end = skill.replaceAll(/[^\w/]/g, '\\$&');
  const [path] = new RegExp(`[^\\s"'\`<>()]*${end}`).exec(texts.join('\n')) ?? [];
  return path === undefined ? undefined : fill(input, { skill: path });
}

import { localNameUnknown } from '../../generated/diagnostics.ts';
import type { Model } from '../../model/model.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { didYouMean } from '../../text/similar.ts';
import type { Project } from '../open/open.ts';
import { languageSkillName } from '../outputs.ts';

/** Reports names of servers and skills that are to be left out and that there are none of. */
export function checkDisabled({ loaded }: Project, { items }: Pick<Model, 'items'>, report: Report): void {
  const { disabled, spanOf } = loaded.local!;
  const known = {
    servers: items.mcpServers.map(({ name }) => name),
    skills: [...items.skills.map(({ name }) => name), languageSkillName],
  };
  for (const kind of ['servers', 'skills'] as const) {
    for (const [index, name] of disabled[kind].entries()) {
      if (known[kind].includes(name)) continue;
      const hint = didYouMean(name, known[kind]) || undefined;
      const span = spanOf(['disabled', kind, index]);
      const word = kind === 'servers' ? 'MCP server' : 'skill';
      report(localNameUnknown({ word, name }, { span, ...(hint && { hint }) }));
    }
  }
}

import type { Model } from './model.ts';

/** Names of items that one person does not want. */
export interface Disabled {
  readonly servers: readonly string[];
  readonly skills: readonly string[];
}

/** The model without the servers and skills of these names. */
export function leaveOut(model: Model, { servers, skills }: Disabled): Model {
  const { items } = model;
  return {
    ...model,
    items: {
      ...items,
      mcpServers: items.mcpServers.filter(({ name }) => !servers.includes(name)),
      skills: items.skills.filter(({ name }) => !skills.includes(name)),
    },
  };
}

/** Chooses and runs the scenes in which features are checked. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import type { Client } from './client.ts';
import { commandScene, judge, wholeScene } from './features.ts';
import type { Installed } from './install.ts';
import type { Row } from './report.ts';
import { runScene, type Scene } from './scene.ts';

/** The sets of targets in `sets.yaml`. */
export interface Scenes {
  readonly together: readonly string[];
  readonly once: readonly string[];
}

type Variant = Pick<Scene, 'name' | 'targets' | 'version' | 'at' | 'layout'>;

/** The scenes of a client for the requested parts. */
export function scenesOf(
  client: Client,
  spec: TargetSpec,
  parts: readonly string[],
  { together }: Scenes,
): Variant[] {
  const own = [client.id];
  const found: Variant[] = [];
  if (parts.includes('features'))
    found.push({ name: 'alone', targets: own }, { name: 'sub-folder', targets: own, at: 'packages/api' });
  if (parts.includes('versions'))
    for (const version of Object.keys(spec.versions))
      if (version !== spec.defaultVersion) found.push({ name: `version ${version}`, targets: own, version });
  if (parts.includes('together')) {
    const targets = [...new Set([...own, ...together])];
    found.push({ name: 'together', targets }, { name: 'together, each text once', targets, layout: 'once' });
  }
  return found;
}

/** Runs one scene and its command scene. */
export async function proveFeatures(
  client: Client,
  installed: Installed,
  variant: Variant,
  folder: string,
): Promise<Row> {
  const place = join(folder, variant.name.replaceAll(/[^a-z]+/g, '-'));
  const seen = await runScene(client, installed, wholeScene(client, variant), place);
  writeFileSync(join(place, 'captured.json'), JSON.stringify(seen, null, 1));
  const scene = commandScene(client, { ...variant, name: 'command' });
  const command = scene && (await runScene(client, installed, scene, `${place}-command`));
  const results = judge(client, seen, command);
  return { client: client.client, version: installed.version, scene: variant.name, results };
}

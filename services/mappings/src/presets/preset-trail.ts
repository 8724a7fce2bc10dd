import { recordChange } from '@longreach/kit/audit-trail'
import type { CallerCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { MappingsDb } from '../database.ts'
import { walk } from '../tree-rules.ts'
import type { PresetRow } from './preset-store.ts'
import { compareTrees } from './trial-rules.ts'

type Kept = Pick<PresetRow, 'id' | 'organization' | 'name' | 'json' | 'sub_orgs_enabled_to_view'>
type Changed = { before?: Kept; after?: Kept }

/** Write down what of a preset changed: of its values only those that did, as they were and as they are. */
export async function recordPreset(
  tx: Kysely<MappingsDb>,
  ctx: CallerCtx,
  { before, after }: Changed,
) {
  const preset = after ?? before
  if (!preset) return
  const action = before ? (after ? 'update' : 'delete') : 'create'
  await recordChange(tx, ctx, {
    resource: 'presets',
    action,
    id: preset.id,
    label: preset.name,
    organization: preset.organization,
    ...comparePresets(before, after),
  })
}

function comparePresets(before: Kept | undefined, after: Kept | undefined) {
  const [old, fresh] = [factsOf(before), factsOf(after)]
  for (const change of compareTrees(nodesOf(before), nodesOf(after))) {
    for (const { key, from, to } of change.values) {
      if (from !== null) old[`${change.path}: ${key}`] = from
      if (to !== null) fresh[`${change.path}: ${key}`] = to
    }
  }
  return { ...(before && { before: old }), ...(after && { after: fresh }) }
}

const nodesOf = (preset: Kept | undefined) => (preset ? walk(preset.json).nodes : [])

const factsOf = (preset: Kept | undefined): Record<string, unknown> =>
  preset
    ? {
        name: preset.name,
        instanceOf: preset.json['instanceOf'],
        subOrgsEnabledToView: preset.sub_orgs_enabled_to_view,
      }
    : {}

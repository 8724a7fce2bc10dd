import { AppError, failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { devicesFor } from '../reach.ts'
import type { BulkSelection } from './bulk-contract.ts'
import { toAsking } from '../asking.ts'
import { devicesWhere, filtersOf } from '../search/device-question.ts'
import { toMoveItem } from './move-items.ts'
import { planPresetMove } from './preset-moving.ts'

type Asked = { token: string; devices: string[] }

/** Organization of a token and the effects of a move of these devices there; throws `import_token_refused` for an invalid token. */
export async function checkImportToken(
  { clients }: MappingsDeps,
  ctx: OrgCtx,
  { token, devices }: Asked,
) {
  const body = { ...toAsking(ctx), organizationImportToken: token, devices }
  return clients.core.moveLosses({ body }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status !== 422) throw error
    const { message } = error.details
    throw failure(mappingsContract, 'import_token_refused', { message, field: 'token' })
  })
}

/** Handler for the effects of a move of many devices, all of them together. */
export const deviceMoveCheck = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, 'checkMove'> => ({
  checkMove: async ({ body: { selection, token } }, ctx) => {
    const { to } = await checkImportToken(deps, ctx, { token, devices: [] })
    const rows = await chosen(deps, ctx, selection)
    const there = rows.filter(({ organization }) => organization === to.resourceId)
    const moving = rows.filter((row) => row.may && row.organization !== to.resourceId)
    const total = 'ids' in selection ? new Set(selection.ids).size : rows.length
    const ends = moving.some(({ organization: from }) => !to.resourceId.startsWith(`${from}.`))
    const fate = ends ? 'cut' : 'goes'
    const presets = await presetItems(deps, to.resourceId, moving)
    const ids = moving.map(({ id }) => id)
    const { items } = await checkImportToken(deps, ctx, { token, devices: ids })
    return {
      to,
      from: countedBy(moving, ({ organization }) => organization)
        .map(([resourceId, devices]) => ({ resourceId, devices }))
        .toSorted((one, other) => other.devices - one.devices),
      total,
      moving: moving.length,
      there: there.length,
      refused: total - moving.length - there.length,
      losingPreset: presets.losing,
      items: [
        toMoveItem('history', 'goes', []),
        toMoveItem('credentials', fate, []),
        toMoveItem('notes', 'left', []),
        ...presets.items,
        ...items,
      ],
    }
  },
})

/** The devices of a selection that the caller sees, and whether they may give them away. */
async function chosen(deps: MappingsDeps, ctx: OrgCtx, selection: BulkSelection) {
  const question = 'ids' in selection ? { deviceIds: selection.ids } : filtersOf(selection.question)
  const left = 'ids' in selection ? [] : selection.except
  return deps.db
    .selectFrom('device')
    .leftJoin('preset', 'preset.id', 'device.preset_id')
    .select(['device.id', 'device.organization', 'device.preset_id'])
    .select(devicesFor(ctx, 'delete').as('may'))
    .where(await devicesWhere(deps, ctx, question))
    .where(sql<boolean>`device.id <> all(${left}::text[])`)
    .execute()
}

type Row = Awaited<ReturnType<typeof chosen>>[number]

function countedBy<T>(rows: readonly T[], keyOf: (row: T) => string) {
  return [...Map.groupBy(rows, keyOf)].map(([key, some]): [string, number] => [key, some.length])
}

/** Presets and models of these devices, by their outcome: `goes`, `copied` or `left`. */
async function presetItems({ db }: MappingsDeps, to: string, rows: readonly Row[]) {
  const used = countedBy(rows, ({ preset_id }) => preset_id ?? '').filter(([id]) => id !== '')
  const presets = await db
    .selectFrom('preset')
    .selectAll()
    .where(sql<boolean>`id = any(${used.map(([id]) => id)}::text[])`)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const devicesOf = new Map(used)
  const names = {
    goes: { preset: [], model: [] },
    copied: { preset: [], model: [] },
    left: { preset: [], model: [] },
  } as Named
  let losing = 0
  for (const preset of presets) {
    const { outcome } = await planPresetMove(db, preset, to)
    const fate = outcome === 'there' ? 'goes' : outcome
    if (fate === 'left') losing += devicesOf.get(preset.id) ?? 0
    names[fate].preset.push(preset.name)
    const model = `${preset.model_name} ${preset.model_version}`
    if (!names[fate].model.includes(model)) names[fate].model.push(model)
  }
  const kinds = ['model', 'preset'] as const
  const fates = ['goes', 'copied', 'left'] as const
  const items = kinds.flatMap((kind) =>
    fates.map((fate) => toMoveItem(kind, fate, names[fate][kind])),
  )
  return { items: items.filter(({ count }) => count > 0), losing }
}

type Named = Record<'goes' | 'copied' | 'left', Record<'preset' | 'model', string[]>>

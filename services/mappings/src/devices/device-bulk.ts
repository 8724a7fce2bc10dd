import { can } from '@longreach/authorization/can'
import { AppError, failure } from '@longreach/kit/errors'
import { jobKind, startJob } from '@longreach/kit/jobs'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { z } from 'zod'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { readAttribute } from './attribute-values.ts'
import { BulkAction, BulkSelection } from './bulk-contract.ts'
import { type Item, stepOf, tokenLabel } from './bulk-steps.ts'
import { countMatches, listDeviceNames } from './device-list.ts'
import { checkImportToken } from './device-move-check.ts'
import { devicesWhere, filtersOf, trashWhere } from '../search/device-question.ts'

const { service } = mappingsContract
const BulkInput = z.object({
  action: BulkAction,
  selection: BulkSelection,
  /** Of a move: resourceId of the organization that its token opened. */
  to: z.string().optional(),
})
type Bulk = z.output<typeof BulkInput>

/** Something done to many devices, one after the other: what fails for one is done for the others. */
export const bulkJob = jobKind<MappingsDeps, Bulk>({
  name: 'change-devices',
  input: BulkInput,
  async run({ id, input, ctx, each }, deps) {
    const step = stepOf(deps, actionOf(input, id))
    const items = async () => {
      const asking = await ctx()
      return asking ? itemsOf(deps, asking, input) : []
    }
    await each(items, async (item, asking) => void (await step(item, asking)), labelOf)
    return { kind: input.action.kind }
  },
})

const labelOf = ({ label }: Item) => label

const actionOf = ({ action, to = '' }: Bulk, id: string) =>
  action.kind === 'move' ? { ...action, to, work: `mappings job ${id}` } : action

/** The devices of a selection by name; picked ones also where they are not seen any more. */
async function itemsOf(deps: MappingsDeps, ctx: OrgCtx, input: Bulk): Promise<Item[]> {
  const { action, selection } = input
  const rows = await listDeviceNames(deps.db, await whereOf(deps, ctx, input))
  const found = action.kind === 'move' ? rows.map((row) => ({ ...row, seen: true })) : rows
  return 'ids' in selection ? picked(selection.ids, found) : without(selection, found)
}

const picked = (ids: readonly string[], found: readonly Item[]) => {
  const seen = new Set(found.map(({ id }) => id))
  const unseen = [...new Set(ids)].filter((id) => !seen.has(id)).map((id) => ({ id, label: id }))
  return [...found, ...unseen]
}

const without = ({ except }: { except: readonly string[] }, found: readonly Item[]) => {
  const left = new Set(except)
  return found.filter(({ id }) => !left.has(id))
}

/** The condition of a selection, with the caller's right to see what is in it. */
async function whereOf(deps: MappingsDeps, ctx: OrgCtx, { action, selection }: Bulk) {
  const question = 'ids' in selection ? { deviceIds: selection.ids } : filtersOf(selection.question)
  return action.kind === 'restore'
    ? trashWhere(deps, ctx, question)
    : devicesWhere(deps, ctx, question)
}

/** Start it; who has the right nowhere here is told at once, not device by device. */
export const deviceBulk = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, 'changeDevices'> => ({
  changeDevices: async ({ body: { action, selection, label } }, ctx) => {
    checkBulkRight(ctx, action)
    if (action.kind === 'setAttribute') readAttribute(action)
    const total = await countOf(deps, ctx, { action, selection })
    if (total === 0) {
      const message = 'No device matches any more; nothing was changed.'
      throw failure(mappingsContract, 'nothing_selected', { message, field: 'selection' })
    }
    const input = { ...(await readied(deps, ctx, action)), selection }
    const id = await startJob(deps.db, ctx, { service, kind: bulkJob, input, label })
    return { id, total }
  },
})

async function countOf(deps: MappingsDeps, ctx: OrgCtx, input: Bulk) {
  const { selection } = input
  if ('ids' in selection) return new Set(selection.ids).size
  const { total } = await countMatches(deps.db, await whereOf(deps, ctx, input))
  return Math.max(0, total - selection.except.length)
}

function checkBulkRight({ capability }: OrgCtx, { kind }: BulkAction) {
  const [resource, action] = kind.endsWith('Group')
    ? (['devicegroups', 'update'] as const)
    : /^(move|delete|restore)$/.test(kind)
      ? (['devices', 'delete'] as const)
      : (['devices', 'update'] as const)
  if (can(capability, resource, action)) return
  throw new AppError(403, 'auth.missing_permission', { permission: `${resource}:${action}` })
}

/** A move is looked at before it begins: its token must be good, and waits sealed. */
async function readied(deps: MappingsDeps, ctx: OrgCtx, action: BulkAction) {
  if (action.kind !== 'move') return { action }
  const { to } = await checkImportToken(deps, ctx, { token: action.token, devices: [] })
  const token = deps.secrets.seal(tokenLabel, action.token).toString('base64url')
  return { action: { ...action, token }, to: to.resourceId }
}

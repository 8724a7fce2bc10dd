import { can } from '@longreach/authorization/can'
import { AppError, failure } from '@longreach/kit/errors'
import { jobKind, startJob } from '@longreach/kit/jobs'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { z } from 'zod'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { attributeValues } from './attribute-values.ts'
import { BulkAction, BulkSelection } from './bulk-contract.ts'
import { type Item, stepOf, tokenLabel } from './bulk-steps.ts'
import { countMatches, named } from './device-list.ts'
import { devicesWhere, filtersOf, trashWhere } from './device-question.ts'

const { service } = mappingsContract
const BulkInput = z.object({ action: BulkAction, selection: BulkSelection })
type Bulk = z.output<typeof BulkInput>

/** Something done to many devices, one after the other: what fails for one is done for the others. */
export const bulkJob = jobKind<MappingsDeps, Bulk>({
  name: 'change-devices',
  input: BulkInput,
  async run({ input, ctx, each }, deps) {
    const items = async () => {
      const asking = await ctx()
      return asking ? itemsOf(deps, asking, input) : []
    }
    await each(
      items,
      async (item, asking) => void (await stepOf(deps, input.action)(item, asking)),
      labelOf,
    )
    return { kind: input.action.kind }
  },
})

const labelOf = ({ label }: Item) => label

/** The devices of a selection by name; picked ones also where they are not seen any more. */
async function itemsOf(deps: MappingsDeps, ctx: OrgCtx, input: Bulk): Promise<Item[]> {
  const { action, selection } = input
  const found = await named(deps.db, await whereOf(deps, ctx, input))
  const chosen = 'ids' in selection ? picked(selection.ids, found) : without(selection, found)
  if (action.kind !== 'move') return chosen
  return chosen.map((item, place) => {
    const token = action.tokens[place]
    return token === undefined ? item : { ...item, token }
  })
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
    mustHold(ctx, action)
    if (action.kind === 'setAttribute') attributeValues(action)
    const total = await countOf(deps, ctx, { action, selection })
    if (total === 0) {
      const message = 'No device matches any more; nothing was changed.'
      throw failure(mappingsContract, 'nothing_selected', { message })
    }
    mustHaveTokens(action, total)
    const input = { action: sealed(deps, action), selection }
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

function mustHold({ capability }: OrgCtx, { kind }: BulkAction) {
  const [resource, action] = kind.endsWith('Group')
    ? (['devicegroups', 'update'] as const)
    : /^(move|delete|restore)$/.test(kind)
      ? (['devices', 'delete'] as const)
      : (['devices', 'update'] as const)
  if (can(capability, resource, action)) return
  throw new AppError(403, 'auth.missing_permission', { permission: `${resource}:${action}` })
}

function mustHaveTokens(action: BulkAction, total: number) {
  if (action.kind !== 'move' || new Set(action.tokens).size >= total) return
  throw failure(mappingsContract, 'nothing_selected', {
    message: `An import token moves one device: ${total} devices need ${total} tokens.`,
    field: 'tokens',
  })
}

const sealed = ({ secrets }: MappingsDeps, action: BulkAction): BulkAction =>
  action.kind === 'move'
    ? {
        ...action,
        tokens: [...new Set(action.tokens)].map((token) =>
          secrets.seal(tokenLabel, token).toString('base64url'),
        ),
      }
    : action

import { AppError, failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDeps } from '../deps.ts'
import type { Action, SkipReason } from './action-effect.ts'
import { actOn } from './acting.ts'

type Chosen = {
  id?: string | undefined
  alarmId?: string | undefined
  ids?: string[] | undefined
  comment?: string | undefined
}

/** Action on the alarms that are named; a single one that is left answers 409 with the reason. */
export const actOnChosen =
  (deps: AlarmsDeps, action: Action) =>
  async ({ body }: { body: Chosen }, ctx: OrgCtx) => {
    const { id = body.alarmId, ids, comment } = body
    if (ids === undefined && id === undefined) throw nothingChosen()
    const acted = await actOn(deps, ctx, { action, ids: ids ?? (id ? [id] : []), comment })
    const [skipped] = acted.skipped
    if (ids === undefined && skipped) throw refusalOf(skipped.reason, skipped.id)
    return acted
  }

const nothingChosen = () => {
  const message = 'id: name one alarm by id, or several by ids'
  const fields = [{ field: 'id', message }]
  return new AppError(400, 'request.invalid', { message, part: 'body', fields })
}

const messages: Record<SkipReason, string> = {
  closed: 'This alarm is over; nothing is left to do.',
  ack_first: 'Acknowledge this alarm before you reset it.',
  still_active: 'The alarm is still active; it can be reset when its cause is gone.',
  already: 'Somebody has done this already.',
  not_found: 'Not found. It may belong to another organization.',
  not_allowed: 'Not found. It may belong to another organization.',
}

/** Error for a single alarm on which an action changes nothing. */
function refusalOf(reason: SkipReason, id: string) {
  const error = reason === 'not_allowed' ? 'not_found' : reason
  return failure(alarmsContract, error, { message: messages[reason], id, field: 'id' })
}

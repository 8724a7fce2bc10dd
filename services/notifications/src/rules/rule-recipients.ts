import { personalChannels, type PersonalChannel } from '../asked-contract.ts'
import type { NotificationRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { toNamed } from '../recipients/recipient-rules.ts'
import { resolveRecipients } from '../recipients/resolve-recipients.ts'

type Deps = Pick<NotificationsDeps, 'db' | 'clients' | 'now'>

/** People, channels and addresses of a rule, with the channels that they have by it. */
export function recipientsOfRule(
  deps: Deps,
  { org, settings }: Pick<NotificationRow, 'org' | 'settings'>,
) {
  const { channels } = settings.longreach
  const ids = channels.filter((one) => !isPersonal(one))
  return resolveRecipients(deps, org, [
    ...settings.recipientFilters.map(toNamed),
    ...ids.map((id) => ({ type: 'channel' as const, id })),
  ])
}

/** True for a channel that each person has, false for the id of one of an organization. */
export const isPersonal = (one: string): one is PersonalChannel =>
  personalChannels.some((channel) => channel === one)

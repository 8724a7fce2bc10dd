import type { Result } from '@longreach/kit/contract'
import type { coreContract } from '@longreach/core/contract'
import { oneAddress } from '@longreach/mail/mail-rules'
import type { NotificationsDeps } from '../deps.ts'
import type { Named } from './recipient-rules.ts'
import { channelsById } from '../channels/channel-store.ts'
import type { ChannelRow } from '../database.ts'
import { onCallPeople } from '../schedules/on-call-people.ts'

type RecipientPerson = Result<(typeof coreContract)['endpoints']['recipients']>['people'][number]

/** Recipients of a rule as they are now. */
export type Recipients = {
  /** Null while the organization is deleted. */
  organization: Result<(typeof coreContract)['endpoints']['recipients']>['organization']
  people: RecipientPerson[]
  addresses: string[]
  channels: ChannelRow[]
  /** Recipients that are no longer there. */
  missing: Named[]
  /** Names of schedules on which nobody is on call. */
  unmanned: string[]
}

/** People, addresses and channels of an organization that recipients stand for. */
export async function resolveRecipients(
  { db, clients, now }: Pick<NotificationsDeps, 'db' | 'clients' | 'now'>,
  organization: string,
  named: readonly Named[],
): Promise<Recipients> {
  const idsOf = (...types: Named['type'][]) =>
    named.flatMap(({ type, id }) => (types.includes(type) ? [id] : []))
  const [channels, onCall] = await Promise.all([
    channelsById(db, organization, idsOf('channel')),
    onCallPeople(db, organization, { ids: idsOf('schedule'), at: now().getTime() }),
  ])
  const answer = await clients.core.recipients({
    body: {
      organization,
      people: [...idsOf('user', 'any'), ...onCall.flatMap(({ person }) => person ?? [])],
      groups: idsOf('group', 'any'),
    },
  })
  const known = new Set([...answer.people.flatMap(({ foundBy }) => foundBy), ...answer.groups])
  const isAddress = ({ type, id }: Named) =>
    (type === 'address' || (type === 'any' && !known.has(id))) && oneAddress(id) !== undefined
  const isThere = (one: Named) => {
    if (one.type === 'channel') return channels.some(({ id }) => id === one.id)
    if (one.type === 'schedule') return onCall.some(({ id }) => id === one.id)
    return isAddress(one) || (one.type !== 'address' && known.has(one.id))
  }
  return {
    organization: answer.organization,
    people: answer.people,
    addresses: [...new Set(named.filter(isAddress).flatMap(({ id }) => oneAddress(id) ?? []))],
    channels,
    missing: named.filter((one) => !isThere(one)),
    // Somebody who is no member any more is on call for nobody.
    unmanned: onCall.flatMap(({ person, name }) =>
      person === null || !known.has(person) ? [name] : [],
    ),
  }
}

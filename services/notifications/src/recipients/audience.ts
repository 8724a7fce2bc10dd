import type { Kysely } from 'kysely'
import { type Language, languages, type PersonalChannel } from '../asked-contract.ts'
import type { ChannelRow, NotificationsDb } from '../database.ts'
import type { DeliveryGate } from '../gate-names.ts'
import type { PreferenceSettings } from '../inbox/contract.ts'
import { choiceOf } from '../inbox/preference-rules.ts'
import { preferencesOf } from '../inbox/preference-store.ts'
import { pushHosts } from '../push/push-store.ts'
import type { Recipients } from './resolve-recipients.ts'

/** Recipient of a message over one channel, or the gate that keeps it from them. */
export type Addressee = {
  recipient: string
  name: string
  realm: string
  channel: string
  channelId: string | null
  address: string
  language: Language
  outside: boolean
  gate: DeliveryGate | ''
  /** Server that it goes to, where that is not the channel. */
  host?: string
}

type Sent = {
  /** Channels of the people of the rule. */
  channels: readonly PersonalChannel[]
  /** Worst severity of the message. */
  severity: number
  now: Date
}

/** Recipients of a message over each of their channels. */
export async function audienceOf(
  db: Kysely<NotificationsDb>,
  { people, addresses, channels, organization }: Recipients,
  sent: Sent,
): Promise<Addressee[]> {
  const subs = people.map(({ sub }) => sub)
  const [preferences, hosts] = await Promise.all([preferencesOf(db, subs), pushHosts(db, subs)])
  return [
    ...people.flatMap((person) =>
      toPersonAddressees(person, {
        preference: preferences.get(person.sub),
        pushHost: hosts.get(person.sub),
        sent,
      }),
    ),
    ...addresses.map((address) => ({
      recipient: address,
      name: address,
      realm: organization?.realm ?? '',
      channel: 'mail',
      channelId: null,
      address,
      language: 'en' as const,
      outside: true,
      gate: '' as const,
    })),
    ...channels.map((channel) => toChannelAddressee(channel, organization?.realm ?? '')),
  ]
}

type Person = Recipients['people'][number]

type Choosing = {
  preference: PreferenceSettings | undefined
  /** Push service of the person's browsers; undefined for somebody without any. */
  pushHost: string | undefined
  sent: Sent
}

function toPersonAddressees(person: Person, { preference, pushHost, sent }: Choosing) {
  const { sub, username, realm, email } = person
  // Who asked for messages in a browser gets there what the rule sends to people.
  const isPushed = pushHost !== undefined && sent.channels.length > 0
  const channels = isPushed ? [...sent.channels, 'push' as const] : sent.channels
  const chosen = choiceOf(preference, { ...sent, channels }).filter(
    ({ channel }) => channel !== 'push' || pushHost !== undefined,
  )
  return chosen.map(({ channel, gate }) => ({
    recipient: sub,
    name: username,
    realm,
    channel,
    channelId: null,
    address: channel === 'mail' ? email : '',
    language: preference?.language ?? languageOf(person.language),
    outside: false,
    gate,
    ...(channel === 'push' && { host: `push ${pushHost}` }),
  }))
}

/** Language of a text such as `de-AT`. */
export function languageOf(text: string | null): Language {
  const short = (text ?? '').slice(0, 2).toLowerCase()
  return languages.find((one) => one === short) ?? 'en'
}

const toChannelAddressee = (
  { id, name, type, enabled, language }: ChannelRow,
  realm: string,
): Addressee => ({
  recipient: id,
  name,
  realm,
  channel: type,
  channelId: id,
  address: '',
  language,
  outside: true,
  gate: enabled ? '' : 'channel_off',
})

/** Addressees of a message; of one that reaches nobody a delivery says why. */
export function orNobody(recipients: Recipients, addressees: readonly Addressee[]): Addressee[] {
  const { organization, missing, unmanned } = recipients
  const lost: { name: string; gate: DeliveryGate }[] = [
    ...missing.map(({ id }) => ({ name: id, gate: 'removed' as const })),
    ...unmanned.map((name) => ({ name, gate: 'nobody_on_call' as const })),
  ]
  const noted = lost.map(({ name, gate }) => ({
    recipient: name,
    name,
    realm: '',
    channel: 'none',
    channelId: null,
    address: '',
    language: 'en' as const,
    outside: false,
    gate,
  }))
  // Nobody reads anything of a deleted organization.
  return organization === null ? [] : [...addressees, ...noted]
}

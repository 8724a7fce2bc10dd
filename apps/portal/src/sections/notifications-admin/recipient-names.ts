import { useWords } from '@longreach/ui/use-words'
import { useCallback, useMemo } from 'react'
import type { Escalation } from '../../parts/notifications/notification-calls.ts'
import { useChannels, useSchedules } from './admin-calls.ts'

type Recipient = Escalation['steps'][number]['to'][number]

const typed = /^(user|group|schedule|channel|address):(.+)$/

/** Recipients as texts that people read and write: schedules and channels by their names, others as the server reads them. */
export function useRecipientNames() {
  const t = useWords()
  const schedules = useSchedules().data
  const channels = useChannels().data
  const named = useMemo(
    () => [
      ...(schedules?.data ?? []).map(({ id, name }) => ({
        recipient: { type: 'schedule' as const, id },
        text: t('on-call.schedule', { name }),
      })),
      ...(channels?.data ?? []).map(({ id, name }) => ({
        recipient: { type: 'channel' as const, id },
        text: t('on-call.channel', { name }),
      })),
    ],
    [t, schedules, channels],
  )
  const toText = useCallback(
    ({ type, id }: Recipient) => {
      const known = named.find(({ recipient }) => recipient.type === type && recipient.id === id)
      if (known) return known.text
      return type === 'user' || type === 'address' ? id : `${type}:${id}`
    },
    [named],
  )
  const toRecipient = (written: string): Recipient => {
    const text = written.trim()
    const known = named.find((one) => one.text === text)
    if (known) return known.recipient
    const [, type, id] = typed.exec(text) ?? []
    if (type !== undefined && id !== undefined) {
      return { type: type as Recipient['type'], id: id.trim() } // one of those in the pattern
    }
    return { type: text.includes('@') ? 'address' : 'user', id: text }
  }
  /** Recipient of a rule, which is kept as a text with its type, as it is shown, and the other way round. */
  const toShown = (kept: string) =>
    named.find(({ recipient: { type, id } }) => `${type}:${id}` === kept)?.text ?? kept
  const toKept = (shown: string) => {
    const known = named.find(({ text }) => text === shown.trim())?.recipient
    return known ? `${known.type}:${known.id}` : shown
  }
  return { toText, toRecipient, toShown, toKept, suggestions: named.map(({ text }) => text) }
}

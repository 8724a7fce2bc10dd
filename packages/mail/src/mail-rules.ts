const minute = 60_000

/** Milliseconds until the next attempt after the first, second … failure; after the last there is none. */
const waitsMs = [1, 2, 5, 15, 60, 240, 720].map((minutes) => minutes * minute)

/** Time of the next attempt after `attempts` failures; undefined when there is none. */
export function nextAttempt(attempts: number, now: Date) {
  const wait = waitsMs[attempts - 1]
  return wait === undefined ? undefined : new Date(now.getTime() + wait)
}

/** Single plain address: no list, no display name, no route, no quotes. */
const plain = /^[^\s\p{C}"'(),:;<>@[\\\]]{1,64}@[^\s\p{C}"'(),:;<>@[\\\]]{1,253}$/u

/** Address that a mail can be sent to; undefined for any other text. */
export const oneAddress = (text: string) => (plain.test(text.trim()) ? text.trim() : undefined)

/** Text for a header: one line, no control characters. */
export const oneLine = (text: string, longest = 200) =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longest)

/** Content of a mail for one recipient. */
export type Mail = {
  to: string
  subject: string
  text: string
  html?: string
  /** The same for every attempt, so that a mail system recognizes a repeated mail. */
  id: string
  headers?: Record<string, string>
}

/** Field of a mail that no header can hold; undefined when all are good. */
export function badField({ to, subject, id, headers = {} }: Mail) {
  if (oneAddress(to) !== to) return 'to'
  if (hasBreaks(subject)) return 'subject'
  if (!/^[\w.-]{1,100}$/.test(id)) return 'id'
  return Object.keys(headers).find(
    (name) => !/^[A-Za-z][A-Za-z0-9-]{0,75}$/.test(name) || hasBreaks(headers[name] ?? ''),
  )
}

/** Line breaks and other control characters. */
const hasBreaks = (text: string) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)

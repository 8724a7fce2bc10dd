const minute = 60_000

/** Minutes until the next attempt after the first, second … failure; after the last there is none. */
const waits = [1, 2, 5, 15, 60, 240, 720]

/** Time of the next attempt after `attempts` failures; undefined when there is none. */
export function nextAttempt(attempts: number, now: Date) {
  const minutes = waits[attempts - 1]
  return minutes === undefined ? undefined : new Date(now.getTime() + minutes * minute)
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

/** Permanent refusal of a mail: another attempt would fail as well (RFC 5321, reply codes 500 to 599). */
export const isFinal = (error: unknown) => {
  const { responseCode, command } = error as { responseCode?: number; command?: string }
  const aboutMail = command === 'RCPT TO' || command === 'DATA' || command === 'MAIL FROM'
  return aboutMail && responseCode !== undefined && responseCode >= 500
}

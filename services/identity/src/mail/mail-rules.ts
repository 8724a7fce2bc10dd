const minute = 60_000

/** Minutes until the next attempt after the first, second … one failed; after the last, nobody tries again. */
const waits = [1, 2, 5, 15, 60, 240, 720]

/** When to try again after `attempts` failed ones; undefined: not at all. */
export function nextAttempt(attempts: number, now: Date) {
  const minutes = waits[attempts - 1]
  return minutes === undefined ? undefined : new Date(now.getTime() + minutes * minute)
}

/** What stands before and after the `@` of one plain address: no list, no display name, no route, no quotes. */
const plain = /^[^\s\p{C}"'(),:;<>@[\\\]]{1,64}@[^\s\p{C}"'(),:;<>@[\\\]]{1,253}$/u

/** The address, if it is exactly one that a mail may go to. */
export const oneAddress = (text: string) => (plain.test(text.trim()) ? text.trim() : undefined)

/** A text that may stand in a header: one line, no control characters. */
export const oneLine = (text: string, longest = 200) =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longest)

/** A mail server's "never": the same mail will not be taken later either (RFC 5321, codes of 500). */
export const isFinal = (error: unknown) => {
  const { responseCode, command } = error as { responseCode?: number; command?: string }
  const aboutMail = command === 'RCPT TO' || command === 'DATA' || command === 'MAIL FROM'
  return aboutMail && responseCode !== undefined && responseCode >= 500
}

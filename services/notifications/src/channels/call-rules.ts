/** End of an attempt to send. */
export type CallEnd =
  | { kind: 'sent'; answer: string }
  | {
      kind: 'failed'
      answer: string
      isFinal: boolean
      mayArrive: boolean
      retryAfterMs?: number | undefined
    }

type Answer = { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
type Result =
  | Answer
  | { kind: 'refused'; message: string }
  | { kind: 'failed'; reason: string; message: string }

/** Statuses after which another attempt may succeed. */
const passing = new Set([408, 425, 429])

/**
 * Meaning of the result of a call: sent, to be tried again, or failed for good; `readable` writes the text of the
 * answer for people.
 */
export function endOfCall(
  result: Result,
  now: Date,
  readable: (text: string) => string = (text) => text,
): CallEnd {
  if (result.kind === 'refused') return failed(result.message, { isFinal: true })
  if (result.kind === 'failed') {
    // The receiver may have had the whole message.
    const mayArrive = result.reason === 'timed_out' || result.reason === 'closed'
    return failed(result.message, { mayArrive })
  }
  const { status, headers, text } = result
  const answer = `${status} ${readable(text)}`.trim().slice(0, 4_000)
  if (status >= 200 && status < 300) return { kind: 'sent', answer }
  const isFinal = status < 500 && !passing.has(status)
  const mayArrive = status >= 500
  const wait = retryAfterMs(headers['retry-after'], now) ?? telegramWaitMs(text)
  return { ...failed(answer, { isFinal, mayArrive }), retryAfterMs: wait }
}

const failed = (answer: string, { isFinal = false, mayArrive = false }) => ({
  kind: 'failed' as const,
  answer,
  isFinal,
  mayArrive,
})

/**
 * Reason in the answer of a chat service: `description` of Telegram, `error` of ntfy, `error.message` of a workflow of
 * Teams; other texts stay as they are.
 */
export function reasonIn(text: string): string {
  try {
    const { description, error } = (JSON.parse(text) ?? {}) as Reasons // any JSON; its fields are looked at below
    const found = [description, typeof error === 'object' ? error?.message : error]
    return found.find((one) => typeof one === 'string') ?? text
  } catch {
    return text // not JSON
  }
}
type Reasons = { description?: string; error?: string | { message?: string } | null }

/** Milliseconds of a Retry-After header: seconds, or a date. */
function retryAfterMs(header: string | undefined, now: Date) {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}

/** Time that Telegram asks to wait: `{"parameters":{"retry_after":5}}`. */
function telegramWaitMs(text: string) {
  const [, seconds] = /"retry_after"\s*:\s*(\d{1,9})/.exec(text) ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1_000
}

import type { LiveFrame } from '../../../parts/live/live-store.ts'

/** A frame of a device as its console shows it. Times in ms since 1970. */
export type Frame = {
  key: number
  at: number
  direction: 'received' | 'sent'
  topic: string
  bytes: number
  ok: boolean
  /** First bytes as hex. */
  head: string
  path?: string
  value?: unknown
  reason?: string
  /** The reason in parts. */
  refusal?: { code: string; values: Record<string, string> }[]
}

/** More frames than this are not kept; the oldest go. */
export const mostFrames = 1000

/** A frame of the socket or of the console's list; what is missing is as if empty. */
export function readFrame(
  raw: Omit<LiveFrame, 'op' | 'id'> | Record<string, unknown>,
  key: number,
): Frame {
  const fields = raw as Record<string, unknown>
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined)
  const [path, reason] = [text('path'), text('reason')]
  return {
    key,
    at: Number(fields['at'] ?? 0),
    direction: fields['direction'] === 'sent' ? 'sent' : 'received',
    topic: text('topic') ?? '',
    bytes: Number(fields['bytes'] ?? 0),
    ok: fields['ok'] !== false,
    head: text('head') ?? '',
    ...(path !== undefined && { path }),
    ...(reason !== undefined && { reason }),
    ...(Array.isArray(fields['refusal']) && {
      refusal: fields['refusal'] as NonNullable<Frame['refusal']>, // as the platform's contract says
    }),
    ...('value' in fields && { value: fields['value'] }),
  }
}

/** Frames that hold the text in topic, path, value or reason; `refused` leaves only those not understood. */
export const framesWith = (frames: readonly Frame[], text: string, refused: boolean) => {
  const wanted = text.trim().toLowerCase()
  return frames.filter(
    (frame) =>
      !(refused && frame.ok) &&
      `${frame.topic} ${frame.path ?? ''} ${frame.reason ?? ''} ${JSON.stringify(frame.value) ?? ''}`
        .toLowerCase()
        .includes(wanted),
  )
}

/** Frames as lines of text, for a report: time, direction, topic, bytes, what became of it. */
export const framesText = (frames: readonly Frame[]) =>
  frames
    .map(({ at, direction, topic, bytes, ok, path, value, reason, head }) =>
      [
        new Date(at).toISOString(),
        direction === 'sent' ? '->' : '<-',
        topic,
        `${bytes} B`,
        ok
          ? `${path ?? ''} ${JSON.stringify(value) ?? ''}`.trim()
          : `refused: ${reason ?? ''} [${head}]`,
      ].join('\t'),
    )
    .join('\n')

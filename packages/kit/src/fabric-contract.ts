import { z } from 'zod'

/** Subject of calls, with the schemas of request and reply: one process answers it. */
export type CallSubject<Q extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> = {
  /** Parts with dots between; `:name` stands for a part that `subjectAt` gives. */
  subject: string
  request: Q
  reply: A
  /** Marks calls that change nothing: a repeated one is carried out again, and no reply is kept. */
  reads?: true
}

/** Subject of messages to all that hear it, with their schema. */
export type ToldSubject<M extends z.ZodType = z.ZodType> = {
  subject: string
  message: M
  /** Frames of which many come and only the newest count: they go over a connection of their own. */
  live?: true
}

/** Message that is bytes and travels as it is; any other message travels as JSON. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'expected bytes')

const form = /^:?[a-z][a-z0-9_-]*(\.:?[a-z][a-z0-9_-]*)*$/

/** Subject of a contract; throws when its text has another form than `node.:node.call`. */
export function defineSubject<const S extends CallSubject | ToldSubject>(subject: S): S {
  if (!form.test(subject.subject)) throw new Error(`${subject.subject} is not a subject`)
  return subject
}

type PartsOf<T extends string> = T extends `${infer First}.${infer Rest}`
  ? PartsOf<First> | PartsOf<Rest>
  : T extends `:${infer Name}`
    ? Name
    : never
type Given<S extends { subject: string }> = Record<PartsOf<S['subject']>, string | number>

const part = /^[\w-]+$/

/** One subject of a family, such as `node.7.call` of `node.:node.call`. */
export function subjectAt<const S extends { subject: string }>(
  family: S,
  given: Given<S>,
): Omit<S, 'subject'> & { subject: string } {
  const parts: Record<string, string | number | undefined> = given
  const subject = family.subject.replaceAll(/:([\w-]+)/g, (_, name: string) => {
    const value = String(parts[name] ?? '')
    if (!part.test(value)) throw new Error(`"${value}" cannot be part of ${family.subject}`)
    return value
  })
  return { ...family, subject }
}

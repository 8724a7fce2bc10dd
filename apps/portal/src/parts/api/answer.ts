import { AppError } from '@longreach/kit/errors'
import { type Sent, urlOf } from '@longreach/kit/url-of'
import { authorizedFetch } from './send.ts'

type Place = { method: string; path: string; base?: string }
type Options = { signal?: AbortSignal }

/** Answer to a call, undefined where there is none to read. Throws the error that the service names. */
export async function answerTo(
  contract: { base: string },
  place: Place,
  input: Sent,
  { signal }: Options = {},
): Promise<unknown> {
  const answer = await authorizedFetch(urlOf(contract, place, input), {
    method: place.method,
    ...(signal && { signal }),
    ...(input.body !== undefined && {
      body: JSON.stringify(input.body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  if (!answer.ok) throw await errorOf(answer)
  return answer.status === 204 ? undefined : contentOf(answer)
}

async function contentOf(answer: Response): Promise<unknown> {
  try {
    return await answer.json()
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new AppError(answer.status, 'unexpected_response')
    throw cause
  }
}

/** Error that a refused call was answered with. */
export async function errorOf(answer: Response) {
  const body: unknown = await answer.json().catch(() => undefined) // no JSON: told as such
  const { code, details } = (body ?? {}) as { code?: unknown; details?: unknown }
  return new AppError(
    answer.status,
    typeof code === 'string' ? code : 'unexpected_response',
    typeof details === 'object' && details !== null ? { ...details } : {},
  )
}

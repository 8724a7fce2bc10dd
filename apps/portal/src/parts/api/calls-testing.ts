import { vi } from 'vitest'

type Asked = { call: string; query: Record<string, string>; body: unknown }
type Answers = Record<string, (asked: Asked) => unknown>

/** Error of the server, as a body with its status. */
export const refusedWith = (status: number, code: string, details: object = {}) =>
  Response.json({ statusCode: status, error: '', code, message: '', details }, { status })

/**
 * Server at the outer edge of a test without a browser: an answer for each `METHOD /path`, the rest is not
 * found. Returns what was asked; `vi.unstubAllGlobals()` ends it.
 */
export function answerCalls(answers: Answers) {
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(String(input), 'http://portal.example')
    const call = `${init?.method ?? 'GET'} ${url.pathname}`
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body
    const one = { call, query: Object.fromEntries(url.searchParams), body }
    asked.push(one)
    const answer = answers[call]
    if (answer === undefined) return refusedWith(404, 'none')
    const told = await answer(one)
    if (told instanceof Response) return told
    return told === undefined ? new Response(null, { status: 204 }) : Response.json(told)
  })
  return asked
}

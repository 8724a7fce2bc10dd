import { afterEach, expect, test } from 'vitest'
import { silentAnswer } from './silent-answer.ts'

const before = globalThis.fetch
afterEach(() => {
  globalThis.fetch = before
})

const asked: URL[] = []
const address = 'https://portal.example/auth?state=s1&response_mode=fragment&prompt=none'

/** Identity leads every call to an address of the portal. */
function leadsTo(query: string) {
  asked.length = 0
  globalThis.fetch = async (input) => {
    asked.push(new URL(String(input)))
    const answer = new Response('<!doctype html>')
    Object.defineProperty(answer, 'url', { value: `https://portal.example/?${query}` })
    return answer
  }
}

test('the answer of a living session is its code and state, asked for where a call can read it', async () => {
  leadsTo('code=c1&state=s1&iss=https%3A%2F%2Fportal.example')
  const answer = new URLSearchParams(await silentAnswer(address))
  expect(Object.fromEntries(answer)).toEqual({
    code: 'c1',
    state: 's1',
    iss: 'https://portal.example',
  })
  expect(asked.map(({ searchParams }) => searchParams.get('response_mode'))).toEqual(['query'])
})

test.each([
  ['that a person must sign in', 'error=login_required&state=s1'],
  ['another state', 'code=c1&state=s2'],
  ['nothing', ''],
])('without a session there is no answer: %s', async (_, query) => {
  leadsTo(query)
  expect(await silentAnswer(address)).toBeUndefined()
})

import { afterEach, expect, test, vi } from 'vitest'
import { hostedWords } from './hosted-words.ts'
import { portalIntl } from './portal-intl.ts'

afterEach(() => vi.unstubAllGlobals())

/** A host of words that answers some files; returns the addresses that were asked. */
function hostWith(files: Record<string, () => Response>) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (input: string) => {
    asked.push(input)
    return files[input]?.() ?? new Response('', { status: 404 })
  })
  return asked
}
const host = 'https://words.example/portal'
const roles = `${host}/de-DE/roles.json`

test('words of a host replace those of the same id, by section and locale', async () => {
  const asked = hostWith({
    [roles]: () => Response.json({ new: 'Neue Rolle', 'a.b': '{n} Stück' }),
  })
  const words = await hostedWords(host, 'de')
  expect(Object.keys(words)).toEqual(['roles.new', 'roles.a.b'])
  expect(asked).toContain(roles)
  expect(asked.filter((address, at) => asked.indexOf(address) !== at)).toEqual([])
  const messages = words as unknown as Record<string, string> // parsed ones count as well
  const intl = portalIntl({ locale: 'de-DE', messages })
  expect(intl.formatMessage({ id: 'roles.a.b' }, { n: 3 })).toBe('3 Stück')
})

test('a message that is wrong, empty or no text leaves the built-in one', async () => {
  hostWith({
    [roles]: () =>
      Response.json({ new: '{count, plural, one {#', copy: '', more: 7, delete: 'Weg' }),
  })
  expect(Object.keys(await hostedWords(host, 'de'))).toEqual(['roles.delete'])
})

test.each([
  ['answers with a page', () => new Response('<html>', { status: 200 })],
  ['answers with a list', () => Response.json(null)],
  ['refuses', () => new Response('', { status: 500 })],
  [
    'does not answer',
    () => {
      throw new TypeError('Failed to fetch')
    },
  ],
])('a host that %s leaves the built-in words', async (_, file) => {
  hostWith({ [roles]: file })
  expect(await hostedWords(host, 'de')).toEqual({})
})

import { afterEach, expect, test } from 'vitest'
import { keptLanguage } from './kept-language.ts'
import { readCookie } from '@longreach/ui/cookies'
import { answer } from '../../page-testing.tsx'

const path = '/svc/core/api/v1/organizations/nordwerk/userPreferences'
const preference = (value: string) => ({
  id: 1,
  orgResourceId: 'nordwerk',
  username: 'erika',
  serviceName: 'locale',
  value,
  value1: value,
})
const forget = () => {
  document.cookie = 'cc2locale=; max-age=0; path=/'
}
const { fetch: before } = globalThis
afterEach(() => {
  forget()
  globalThis.fetch = before
})

test('the first start takes the language of the person, and keeps it in the cookie [T-04]', async () => {
  forget()
  const saved: unknown[] = []
  answer({
    [`GET ${path}`]: () => [preference('it-IT')],
    [`POST ${path}`]: (_, body) => saved.push(body),
  })
  expect(await keptLanguage('nordwerk')).toBe('it')
  expect(readCookie('cc2locale')).toBe('it')
  expect(saved).toEqual([])
})

test('a person without a language keeps the one of the cookie, once [T-04]', async () => {
  document.cookie = 'cc2locale=fr; path=/'
  const saved: unknown[] = []
  answer({
    [`GET ${path}`]: () => [],
    [`POST ${path}`]: (_, body) => {
      saved.push(body)
      return preference('fr-FR')
    },
  })
  expect(await keptLanguage('nordwerk')).toBe('fr')
  expect(saved).toEqual([{ serviceName: 'locale', value: 'fr-FR' }])
})

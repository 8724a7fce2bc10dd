import { expect, test } from 'vitest'
import { chooseLanguage, expandLocale, parentDomain } from './locale-rules.ts'

test.for([
  ['en', 'en-US'],
  ['de', 'de-DE'],
  ['it', 'it-IT'],
  ['fr-CA', 'fr-CA'],
])('%s is the locale %s [N-04]', ([code, locale]) => {
  expect(expandLocale(code!)).toBe(locale)
})

test('the preference comes before the cookie, the cookie before the browser [T-04]', () => {
  expect(chooseLanguage(['it-IT', 'de', 'fr'])).toBe('it')
  expect(chooseLanguage([undefined, 'de', 'fr'])).toBe('de')
  expect(chooseLanguage([undefined, undefined, 'pl-PL', 'fr-CH'])).toBe('fr')
  expect(chooseLanguage([undefined, 'xx'])).toBe('en')
})

test('the cookie is shared with sibling hosts, never with a whole top-level domain [T-04]', () => {
  expect(parentDomain('nordwerk.app.example.com')).toBe('app.example.com')
  expect(parentDomain('example.com')).toBeUndefined()
  expect(parentDomain('localhost')).toBeUndefined()
  expect(parentDomain('192.168.1.20')).toBeUndefined()
  expect(parentDomain('[::1]')).toBeUndefined()
})

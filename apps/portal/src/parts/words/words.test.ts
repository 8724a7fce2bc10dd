/// <reference types="vite/client" />
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { actions, resources } from '@longreach/authorization/permissions'
import type { Contract } from '@longreach/kit/contract'
import { issueRules } from '@longreach/mappings/issue-rules'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { createIntl } from 'react-intl'
import { expect, test } from 'vitest'
import { languages } from './locale-rules.ts'
import { sections as portalSections } from '../../sections.ts'
import { wordsIn } from './word-places.ts'
import { faultsOfLanguage, unusedIds } from '../../../message-rules.ts'

const root = join(import.meta.dirname, '../../../../..')
/** Paths of the files of words, by language and name; sections may add to the words of a part. */
const places = Map.groupBy(
  globSync(['apps/portal/src/**/locales/**/*.json', 'packages/ui/locales/**/*.json'], {
    cwd: root,
  }),
  (file) => `${wordsIn(file)?.language} ${wordsIn(file)?.name}`,
)
const sectionsIn = (language: string) =>
  [...places.keys()].flatMap((key) => {
    const [of, name = ''] = key.split(' ')
    return of === language ? [name] : []
  })
const sections = sectionsIn('en')
const words = (language: string, section: string): Record<string, string> =>
  Object.assign(
    {},
    ...(places.get(`${language} ${section}`) ?? []).map(
      (file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, string>,
    ),
  )
const english = [
  ...sections.flatMap((section) =>
    Object.keys(words('en', section)).map((key) => `${section}.${key}`),
  ),
  // Each section brings its name itself.
  ...portalSections.map(({ id }) => `shell.section.${id}`),
]

const sources = ['apps/portal/src', 'packages/ui/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8')),
)
const source = sources.join('\n')

/** Ids in quotes in the code. */
const literal = new RegExp(`['"\`]((?:${sections.join('|')})\\.[A-Za-z0-9_.-]+)['"]`, 'g')
const used = new Set([...source.matchAll(literal)].map(([, id = '']) => id))

test.for(languages)(
  'every message exists in %s, parses, and asks for the same values [P-03]',
  (language) => {
    expect(sectionsIn(language).toSorted()).toEqual(sections.toSorted())
    const files = [...new Set(['en', language])].flatMap((of) =>
      sections.map((name) => ({ language: of, name, texts: words(of, name) })),
    )
    expect(faultsOfLanguage(files, language)).toEqual([])
  },
)

/** Forms of each plural of a message, also of those inside another. */
function pluralForms(elements: MessageFormatElement[]): string[][] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.tag) return pluralForms(element.children)
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return []
    const inner = Object.values(element.options).flatMap(({ value }) => pluralForms(value))
    return element.type === TYPE.plural ? [Object.keys(element.options), ...inner] : inner
  })
}

test.for(languages)('every plural has each form that %s has [P-03]', (language) => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const texts = sections.flatMap((section) => Object.entries(words(language, section)))
  const all = texts.flatMap(([key, text]) =>
    pluralForms(parse(text)).map((forms) => ({ key, forms })),
  )
  expect(all.length).toBeGreaterThan(100)
  // Where nothing is said of none, one is said like many.
  const isLeftOut = (form: string, forms: string[]) => form === 'one' && forms.includes('=0')
  const without = all.filter(({ forms }) =>
    pluralCategories.some((form) => !forms.includes(form) && !isLeftOut(form, forms)),
  )
  expect(without).toEqual([])
})

test('a million takes the preposition that Spanish, French and Italian put behind it [P-03]', () => {
  const count = { shown: 1, total: 1_000_000 }
  const said = (language: string) =>
    createIntl({ locale: language, messages: words(language, 'presets') }).formatMessage(
      { id: 'shown' },
      count,
    )
  expect([said('es'), said('fr'), said('it')]).toEqual([
    expect.stringMatching(/^1 de 1.000.000 de preajustes$/),
    expect.stringMatching(/^1 sur 1.000.000 de préréglages$/u),
    expect.stringMatching(/^1 di 1.000.000 di preset$/),
  ])
})

test('no message is missing that the code asks for [P-03]', () => {
  const known = new Set(english)
  expect([...used].filter((id) => !known.has(id) && !id.endsWith('.'))).toEqual([])
})

test('no message is left that nothing asks for [P-03]', () => {
  const own = english.filter((id) => !id.startsWith('shell.section.'))
  expect(unusedIds(own, sources)).toEqual([])
})

/** `new AppError(503, 'database.full'`, on one line or several. */
const errorCode = /AppError\(\s*\d+,\s*'([a-z_]+\.[a-z_]+)'/g

/** Sources of the servers. */
const serverText = ['packages/kit/src', 'services', 'apps/server/src']
  .flatMap((folder) => {
    const place = join(root, folder)
    return readdirSync(place, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/test|node_modules/.test(file))
      .map((file) => readFileSync(join(place, file), 'utf8'))
  })
  .join('\n')

/** Codes of errors that are thrown beside a contract's own, as they stand in the servers' sources. */
const thrown = [...serverText.matchAll(errorCode)].map(([, code = '']) => code)

/** `fault: 'too_short'` beside an error, which has words of its own. */
const faults = [...serverText.matchAll(/\bfault: '([a-z_]+)'/g)].map(([, name = '']) => name)

test('every fault that a server names beside an error has its words, and every form of a field', () => {
  const known = new Set(english)
  const [, ofPasswords = ''] = /type PasswordFault = (.*)/.exec(serverText) ?? []
  const named = [...faults, ...[...ofPasswords.matchAll(/\w+/g)].map(([name]) => name)]
  expect(named).toEqual(expect.arrayContaining(['fraction', 'too_short']))
  const formats = [...serverText.matchAll(/stringFormat\(\s*'([a-z_]+)'/g)].map(([, name]) => name)
  expect(formats).toEqual(expect.arrayContaining(['role_name', 'host_name']))
  const ids = [
    ...named.map((name) => `errors.fault.${name}`),
    ...[...formats, 'email', 'url', 'address'].map((name) => `errors.field.form.${name}`),
  ]
  expect(ids.filter((id) => !known.has(id))).toEqual([])
})

/** Expression for data point in each language, and for its keywords, which must not stand for one. */
const dataPoint = {
  en: [/data points?/, /\btags?\b/i],
  de: [/Datenpunkt/, /\btags?\b|Schlagw/i],
  es: [/puntos? de datos/, /\btags?\b|\betiquetas?\b/i],
  fr: [/points? de données/, /\btags?\b|étiquettes?\b/i],
  it: [/punt[oi] dati/, /\btags?\b|\betichett[ae]\b/i],
} as const

test.for(languages)(
  'in %s a data point is not called as the keywords of a device are',
  (language) => {
    const [point, keyword] = dataPoint[language]
    const told = ['problems', 'device-page'].flatMap((section) =>
      Object.entries(words(language, section)).map(([key, text]) => ({ key, text })),
    )
    // Only what is about `tags`, the keywords, is called so.
    const called = told.filter(({ text }) => keyword.test(text)).map(({ key }) => key)
    expect(called).toEqual(['tags', 'tags'])
    expect(words(language, 'device-page')['tags']).toBe(words(language, 'devices')['tags'])
    const named = ['unlinked', 'linkSource', 'refusal.kindUnknown', 'refusal.noList']
    const texts = told.filter(({ key }) => named.includes(key))
    expect(texts.filter(({ text }) => !point.test(text))).toEqual([])
    expect(texts).toHaveLength(named.length)
  },
)

const modules = import.meta.glob<Record<string, Contract>>(
  '../../../../../services/*/src/contract.ts',
  { eager: true },
)
/** Contracts of all services: the exports with errors of their `contract.ts`. */
const contracts = Object.values(modules).flatMap((module) =>
  Object.values(module).filter((one) => typeof one === 'object' && 'errors' in one),
)

test('every error of every contract, and every other that a server throws, has its words [P-03]', () => {
  const codes = contracts.flatMap(({ service, errors }) =>
    Object.keys(errors).map((name) => `${service}.${name}`),
  )
  // Some are not written in one piece in the sources.
  const limits = ['too_large', 'too_many_bytes', 'too_many_costly', 'too_much_work', 'too_deep']
  codes.push(...limits.map((name) => `request.${name}`))
  expect(thrown).toEqual(expect.arrayContaining(['database.full', 'request.invalid']))
  const known = new Set(english)
  const without = [...codes, ...thrown].filter((code) => !known.has(`errors.${code}`))
  expect(without).toEqual([])
})

test('services of which there are errors are all asked here', () => {
  const services = readdirSync(join(root, 'services')).toSorted()
  expect(contracts.map(({ service }) => service).toSorted()).toEqual(services)
  expect(services).toEqual(expect.arrayContaining(['audit', 'core', 'identity']))
})

test.for(languages)(
  'in %s a refused question says where its fault stands [V-03 in part]',
  (language) => {
    const errors = words(language, 'errors')
    expect(errors['platform.bad_query']).toContain('{field}')
    expect(errors['fault.expression_place']).toContain('{place, number}')
    expect(errors['fault.no_device_field']).toContain('{name}')
  },
)

test('everything that can be wrong with a model, preset or formula has its words [V-01][P-03]', () => {
  const known = new Set(english)
  expect(issueRules.filter((rule) => !known.has(`problems.${rule}`))).toEqual([])
})

/** Files of words that are there on every page; a section's own and those that it names come beside. */
const everywhere = ['shell', 'ui', 'door', 'errors', 'charts', 'live']

test("a section's pages use no words that are not loaded with them", () => {
  const folder = join(root, 'apps/portal/src/sections')
  const strays = readdirSync(folder).flatMap((section) => {
    const declared = readFileSync(join(folder, section, 'section.ts'), 'utf8')
    const more = /words: \[([^\]]*)\]/.exec(declared)?.[1] ?? ''
    const loaded = [
      ...everywhere,
      section,
      ...[...more.matchAll(/'([\w-]+)'/g)].map(([, name]) => name),
    ]
    const texts = readdirSync(join(folder, section), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
      .map((file) => readFileSync(join(folder, section, file), 'utf8'))
    // What a part asks for before it is shown.
    for (const text of texts) {
      const asked = /needWords\('([\w-]+)'|withWords\(\s*import\('[^']+'\),\s*'([\w-]+)'/g
      for (const [, needed, beside] of text.matchAll(asked)) loaded.push(needed ?? beside)
    }
    return texts
      .flatMap((text) => [...text.matchAll(literal)])
      .map(([, id = '']) => id)
      .filter((id) => !loaded.includes(id.split('.')[0]))
      .map((id) => `${section}: ${id}`)
  })
  expect(strays).toEqual([])
})

test('no page shows the sentence of a server: errors are told by their codes', () => {
  const shown = sources.filter((text) =>
    /details\??\.message|details\[['"]message|\.errorMessage/.test(text),
  )
  expect(shown).toEqual([])
})

test('every resource and action of a permission has words in the table of rights and in the audit trail', () => {
  const ids = ['access', 'log'].flatMap((name) => [
    ...resources.map((resource) => `${name}.resource.${resource}`),
    ...actions.map((action) => `${name}.action.${action}`),
  ])
  expect(ids.filter((id) => !english.includes(id))).toEqual([])
})

test('no text is left of an error that no contract has and no server throws', () => {
  const codes = contracts.flatMap(({ service, errors }) =>
    Object.keys(errors).map((name) => `${service}.${name}`),
  )
  const known = new Set([...codes, ...thrown].map((code) => `errors.${code}`))
  const ofServices = contracts.map(({ service }) => `errors.${service}.`)
  const texts = english.filter((id) => ofServices.some((start) => id.startsWith(start)))
  expect(texts.length).toBeGreaterThan(50)
  expect(texts.filter((id) => !known.has(id))).toEqual([])
})

/** Actions that services write into the audit log by name, where no endpoint says them. */
function writtenActions() {
  const folder = join(root, 'services')
  return readdirSync(folder).flatMap((service) =>
    readdirSync(join(folder, service, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(folder, service, 'src', file), 'utf8'))
      .filter((text) => text.includes('recordChange('))
      .flatMap((text) =>
        [...text.matchAll(/(?:\baction: |recordSessionEnd\(\w+, )'([a-z]\w*)'/g)].map(
          ([, name = '']) => name,
        ),
      ),
  )
}

test('every action that a service writes into the audit log by name has words', () => {
  const actions = writtenActions()
  expect(actions).toEqual(expect.arrayContaining(['endAll', 'withdrawInvitation']))
  expect(actions.filter((name) => !english.includes(`log.action.${name}`))).toEqual([])
})

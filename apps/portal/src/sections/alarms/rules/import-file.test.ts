import { expect, test } from 'vitest'
import { ambiguousModels, missingScopes, rulesInFile, withModel } from './import-file.ts'

test('rules of an exported file are read; another file is none', () => {
  const rule = { name: 'Too hot' }
  expect(rulesInFile(JSON.stringify({ rules: [{ below: true, rule }, { rule }] }))).toEqual([
    { below: true, rule },
    { below: false, rule },
  ])
  for (const text of ['', '[]', '{"rules":1}', '{"rules":[1]}', 'a,b,c'])
    expect(rulesInFile(text)).toBeUndefined()
})

test('what the rules are for and is not here is named once', () => {
  const missing = (path: string) => ({ issues: [{ place: 'scope.model', params: { path } }] })
  const other = { issues: [{ place: 'when.path', params: { path: 'x' } }] }
  expect(missingScopes([missing('Oven:1'), missing('Oven:1'), other, missing('Pump:2')])).toEqual([
    'Oven:1',
    'Pump:2',
  ])
})

test('a name that means several models is asked for once, and the answer holds for all rules of it', () => {
  const choices = [{ modelId: 'a', organization: 'nordwerk' }]
  const issue = { place: 'scope.model', params: { model: 'Oven:1' }, choices }
  const outcomes = [{ issues: [issue] }, { issues: [issue] }, { issues: [] }]
  expect(ambiguousModels(outcomes)).toEqual([{ model: 'Oven:1', choices }])
  expect(missingScopes(outcomes)).toEqual([])
  const rules = ['Oven:1', 'Pump:1'].map((model) => ({
    below: false,
    rule: { name: model, scope: { model } },
  }))
  expect(withModel(rules, 'Oven:1', 'a')).toEqual([
    { below: false, rule: { name: 'Oven:1', scope: { model: 'Oven:1', modelId: 'a' } } },
    rules[1],
  ])
})

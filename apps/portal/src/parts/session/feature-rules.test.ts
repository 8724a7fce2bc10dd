import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { features, isFeatureOn, knownFeatures, offeredFeatures } from './feature-rules.ts'

const specified =
  'structs highFreq deLanguage esLanguage frLanguage jpLanguage developerUI formulaMapping developerUI_DEFreeGridInfo ipFilter loginSplashVideoBackground editorInspector dataTable VPNnetworkSize showVpnIp deviceServiceAccountAssociation groupPoliciesDisabled showMapByDefault hideDeviceSerialNumber hideDeviceDescription hideVpnExportConfig credits deviceTableWidget mapAlarmWidget widgetPermissions showHiddenApps'

test('the features are the specified ones, all off but dataTable until stored as true', () => {
  expect(knownFeatures).toEqual(specified.split(' '))
  for (const name of knownFeatures) {
    expect(isFeatureOn(name, null, {})).toBe(name === 'dataTable')
    expect(isFeatureOn(name, 'true', {})).toBe(true)
    expect(isFeatureOn(name, 'yes', {})).toBe(false)
  }
})

test('each feature that is offered has words, and some page asks for it', () => {
  const words = JSON.parse(
    readFileSync(new URL('../../app/shell/locales/features/en.json', import.meta.url), 'utf8'),
  ) as Record<string, string>
  const files = globSync(`${import.meta.dirname}/../../**/*.{ts,tsx}`)
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  for (const name of features) {
    expect(words[name]).toBeTruthy()
    expect(source).toContain(`useFeature('${name}')`)
  }
  expect(Object.keys(words).toSorted()).toEqual(
    [...features, 'question', 'save', 'title'].toSorted(),
  )
})

test('an unstored feature starts as the installation says, and a stored one as stored [F-02 in part]', () => {
  const settings = { enabled: ['structs'] }
  expect(isFeatureOn('structs', null, settings)).toBe(true)
  expect(isFeatureOn('structs', 'false', settings)).toBe(false)
  expect(isFeatureOn('highFreq', null, settings)).toBe(false)
})

test('what is not allowed, or is forbidden, is neither offered nor on [F-02 in part]', () => {
  expect(offeredFeatures({ allowed: ['structs', 'highFreq'], forbidden: ['highFreq'] })).toEqual([
    'structs',
  ])
  expect(isFeatureOn('highFreq', 'true', { forbidden: ['highFreq'] })).toBe(false)
  expect(isFeatureOn('structs', 'true', { allowed: ['highFreq'] })).toBe(false)
})

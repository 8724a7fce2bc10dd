import { NumberText } from '@longreach/ui/NumberText'
import { useWords } from '@longreach/ui/use-words'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useIntl } from 'react-intl'
import { page } from 'vitest/browser'
import { LookPreference } from '../../app/session/LookPreference.tsx'
import { useLook } from '../../parts/look/look.ts'
import { TagValue } from '../../parts/devices/TagValue.tsx'
import { queries } from '../../parts/api/queries.ts'
import type { Section } from '../../parts/pages/section.ts'
import {
  answer,
  faults,
  openPortal,
  organization,
  phone,
  session,
  show,
} from '../../page-testing.tsx'
import { section as accountSection } from './section.ts'

const look = '/svc/core/api/v1/users/mine/services/portal/properties/look'
beforeEach(async () => {
  queries.clear()
  localStorage.clear()
  answer({})
  await phone()
})
afterEach(() => localStorage.clear())

/** A page with a measured value, a figure, and a message with numbers. */
function Component() {
  const t = useWords()
  const { formatNumber } = useIntl()
  return (
    <>
      <p>
        <NumberText value={1234.5} digits={5} unit="m" />
      </p>
      <p>{formatNumber(56_789.5)}</p>
      <p>{t('api-keys.shown', { shown: 4321, total: 9876 })}</p>
    </>
  )
}
const figures: Section = {
  ...accountSection,
  id: 'api-keys',
  path: '/figures',
  pages: [{ path: '/figures', load: async () => ({ Component }) }],
}

test('how numbers are written is chosen once and counts for values, figures and messages [E-09]', async () => {
  const router = await openPortal('/account?tab=preferences', {
    sections: [accountSection, figures],
    language: 'de',
  })
  const choice = page.getByRole('combobox', { name: 'Zahlenformat' })
  await expect.element(choice).toHaveValue('Wie die Sprache')
  await choice.click()
  await page.getByRole('option', { name: '1’234.5' }).click()
  await expect.element(choice).toHaveValue('1’234.5')
  expect(await faults()).toEqual([])
  await router.navigate({ to: '/figures' })
  await expect.element(page.getByText('1’234.5 m')).toBeVisible()
  await expect.element(page.getByText('56’789.5')).toBeVisible()
  await expect.element(page.getByText('4’321 von 9’876 Schlüsseln')).toBeVisible()
})

/** Another choice of the person, made by one press. */
function Choose() {
  const { setNumbers } = useLook()
  return <button onClick={() => setNumbers('quote')}>Choose</button>
}

test('the numbers that another browser kept are taken over, and a choice is kept for it', async () => {
  let kept = JSON.stringify({ numbers: 'space' })
  answer({
    [`GET ${look}`]: () => kept,
    [`PUT ${look}`]: (_, body) => (kept = String(body)),
  })
  await show(
    <>
      <LookPreference />
      <Component />
      <Choose />
    </>,
  )
  await expect.element(page.getByText('1 234,5 m')).toBeVisible()
  await page.getByRole('button', { name: 'Choose' }).click()
  await expect.element(page.getByText('1’234.5 m')).toBeVisible()
  await expect.poll(() => kept).toContain('"numbers":"quote"')
})

const live = { value: 185, at: Date.now(), quality: 192 }

/** A live temperature, and what another browser does. */
function Oven() {
  const { setTemperature } = useLook()
  return (
    <>
      <TagValue tag={{ type: 'double', unit: '°C' }} live={live} connected />
      <button onClick={() => setTemperature('auto')}>Choose</button>
    </>
  )
}

test('each choice is called by its label, one of several words as well', async () => {
  await openPortal('/account?tab=preferences', { sections: [accountSection] })
  const rows = page.getByRole('radiogroup', { name: 'Row height' })
  await expect.element(rows.getByRole('radio', { name: 'Compact' })).toBeInTheDocument()
})

test('the unit of temperatures is chosen once and counts for live values [E-09]', async () => {
  const temperatures: Section = {
    ...figures,
    pages: [{ path: '/figures', load: async () => ({ Component: Oven }) }],
  }
  const router = await openPortal('/account?tab=preferences', {
    sections: [accountSection, temperatures],
    language: 'de',
  })
  const choice = page.getByRole('radiogroup', { name: 'Temperatur' })
  await expect.element(choice.getByRole('radio', { name: 'Einheit des Geräts' })).toBeChecked()
  await choice.getByText('°F').click()
  await expect.element(choice.getByRole('radio', { name: '°F' })).toBeChecked()
  expect(await faults()).toEqual([])
  await router.navigate({ to: '/figures' })
  await expect.element(page.getByText('365 °F')).toBeVisible()
})

test('the unit of temperatures that another browser kept is taken over, and a choice is kept for it', async () => {
  let kept = JSON.stringify({ temperature: 'fahrenheit' })
  answer({
    [`GET ${look}`]: () => kept,
    [`PUT ${look}`]: (_, body) => (kept = String(body)),
  })
  await show(
    <>
      <LookPreference />
      <Oven />
    </>,
  )
  await expect.element(page.getByText('365 °F')).toBeVisible()
  await page.getByRole('button', { name: 'Choose' }).click()
  await expect.element(page.getByText('185 °C')).toBeVisible()
  await expect.poll(() => kept).not.toContain('temperature')
})

const home = '/svc/core/api/v1/users/mine/services/portal/properties/homeOrganization'
const homeChoice = page.getByRole('combobox', { name: 'Organization after signing in' })

test('the organization after signing in is chosen among one’s own, and kept [E-09]', async () => {
  let kept = 'left.long-ago'
  answer({
    'GET /svc/core/api/v1/organizations/mine': () =>
      ['nordwerk', 'acqua'].map((name) => organization(name)),
    [`GET ${home}`]: () => kept,
    [`PUT ${home}`]: (_, body) => (kept = String(body)),
  })
  await openPortal('/account?tab=preferences', { sections: [accountSection] })
  await expect.element(homeChoice).toBeEnabled()
  await expect.element(homeChoice).toHaveValue('Ask me each time')
  await homeChoice.click()
  await page.getByRole('option', { name: 'Acqua' }).click()
  await expect.element(homeChoice).toHaveValue('Acqua')
  expect(kept).toBe('acqua')
  await homeChoice.click()
  await page.getByRole('option', { name: 'Ask me each time' }).click()
  await expect.poll(() => kept).toBe('')
  expect(await faults()).toEqual([])
})

test('who has one organization is not asked which one opens', async () => {
  await openPortal('/account?tab=preferences', {
    sections: [accountSection],
    who: session({ choices: 1 }),
  })
  await expect.element(page.getByRole('combobox', { name: 'Number format' })).toBeVisible()
  await expect.element(homeChoice).not.toBeInTheDocument()
})

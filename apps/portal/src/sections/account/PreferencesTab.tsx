import {
  type NumberWriting,
  numberFormat,
  numberWritings,
  withNumbers,
} from '@longreach/ui/number-writing'
import { type TemperatureUnit, temperatureSigns, temperatureUnits } from '@longreach/ui/shown-unit'
import { Panel } from '@longreach/ui/PageHeader'
import { useNow } from '@longreach/ui/RelativeTime'
import { densities, type Density, useLayout } from '@longreach/ui/table-layout'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl, Select } from '@mantine/core'
import { useId } from 'react'
import { useIntl } from 'react-intl'
import { type Language, languageNames, languages } from '../../parts/words/locale-rules.ts'
import { type Hours, type Scheme, useLook } from '../../parts/look/look.ts'
import { HomeOrganizationChoice } from './HomeOrganizationChoice.tsx'
import { StartPageChoice } from './StartPageChoice.tsx'
import { browserZone, knownZones } from '../../parts/look/time-zone.ts'
import classes from './account.module.css'

const schemes: readonly Scheme[] = ['light', 'dark', 'auto']
const hourChoices: readonly Hours[] = ['auto', '12', '24']

/** Language, time zone, hours, numbers, unit of temperatures, home organization, start page, colors and row height; kept at once, for every browser of the person. */
export function PreferencesTab() {
  const t = useWords()
  const { language, setLanguage, scheme, setScheme, zone, setZone } = useLook()
  const [layout, setLayout] = useLayout('preferences')
  const own = browserZone()
  return (
    <Panel title={t('account.tab.preferences')}>
      <div className={classes.form} style={{ display: 'grid', gap: 16 }}>
        <div className={classes.two}>
          <Select
            label={t('shell.language')}
            data={languages.map((code) => ({ value: code, label: languageNames[code] }))}
            value={language}
            allowDeselect={false}
            onChange={(code) => void setLanguage(code as Language)}
          />
          <Select
            label={t('account.zone')}
            description={<Now zone={zone} />}
            inputWrapperOrder={['label', 'input', 'description']}
            data={[
              { value: '', label: t('account.zoneOfBrowser', { zone: own }) },
              ...knownZones().map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
            ]}
            value={zone === own ? '' : zone}
            searchable
            allowDeselect={false}
            nothingFoundMessage={t('account.noZone')}
            onChange={(name) => setZone(name === '' || name === null ? undefined : name)}
          />
        </div>
        <Writing />
        <HomeOrganizationChoice />
        <StartPageChoice />
        <Choice
          label={t('shell.scheme')}
          value={scheme}
          choices={schemes.map((value) => ({ value, label: t(`shell.scheme.${value}`) }))}
          onChange={(value) => setScheme(value as Scheme)}
        />
        <Choice
          label={t('ui.density')}
          value={layout.density}
          choices={densities.map((value) => ({ value, label: t(`ui.density.${value}`) }))}
          onChange={(density) => setLayout({ ...layout, density: density as Density })}
        />
      </div>
    </Panel>
  )
}

/** Choices of the format of hours, numbers and temperatures. */
function Writing() {
  const t = useWords()
  const { hours, setHours, numbers, setNumbers, temperature, setTemperature } = useLook()
  return (
    <>
      <Choice
        label={t('account.hours')}
        value={hours}
        choices={hourChoices.map((value) => ({ value, label: t(`account.hours.${value}`) }))}
        onChange={(value) => setHours(value as Hours)}
      />
      <Select
        label={t('account.numbers')}
        data={numberWritings.map((value) => ({
          value,
          label: value === 'auto' ? t('account.numbers.auto') : numberIn(value),
        }))}
        value={numbers}
        allowDeselect={false}
        onChange={(value) => setNumbers(value as NumberWriting)}
      />
      <Choice
        label={t('account.temperature')}
        help={t('account.temperatureHelp')}
        value={temperature}
        choices={temperatureUnits.map((value) => ({
          value,
          label: value === 'auto' ? t('account.temperature.auto') : temperatureSigns[value],
        }))}
        onChange={(value) => setTemperature(value as TemperatureUnit)}
      />
    </>
  )
}

const numberIn = (writing: NumberWriting) => numberFormat(withNumbers('en', writing)).format(1234.5)

type ChoiceProps = {
  label: string
  help?: string
  value: string
  choices: { value: string; label: string }[]
  onChange: (value: string) => void
}

function Choice({ label, help, value, choices, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div style={{ display: 'grid', gap: 4, justifyItems: 'start' }}>
      <span id={id} style={{ fontWeight: 500 }}>
        {label}
      </span>
      <SegmentedControl
        aria-labelledby={id}
        aria-describedby={help && `${id}-help`}
        value={value}
        data={choices}
        onChange={onChange}
      />
      {help && (
        <small id={`${id}-help`} className={classes.dim}>
          {help}
        </small>
      )}
    </div>
  )
}

/** The time there now, so that nobody needs to know the zones by name. */
function Now({ zone }: { zone: string }) {
  const intl = useIntl()
  const now = useNow()
  return <>{intl.formatDate(now, { timeZone: zone, timeStyle: 'short', dateStyle: 'short' })}</>
}

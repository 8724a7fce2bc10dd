import type { TimeWindow } from '@longreach/ui/time-range'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { useWords } from '@longreach/ui/use-words'
import { Input, NumberInput, SegmentedControl, Select, TagsInput } from '@mantine/core'
import { useState } from 'react'
import {
  type ExportDraft,
  exportFigures,
  exportSeparators,
  exportTimes,
  exportUnits,
} from './export-draft.ts'
import { knownZones } from '../look/time-zone.ts'
import classes from './export.module.css'

type Props = {
  draft: ExportDraft
  window: TimeWindow
  /** Texts of faults, by field. */
  faults: Readonly<Record<string, string>>
  withPaths: boolean
  knownPaths: readonly string[]
  onChange: (part: Partial<ExportDraft>) => void
}

/** Fields for the values, the time range and the format of an export. */
export function ExportFields(props: Props) {
  const { draft, window, faults, withPaths, knownPaths, onChange } = props
  const t = useWords()
  return (
    <>
      <Input.Wrapper label={t('export.range')} error={faults['range']} labelElement="div">
        <TimeRangePicker
          value={draft.range}
          window={window}
          zone={draft.zone}
          onChange={(range) => onChange({ range })}
        />
      </Input.Wrapper>
      {withPaths && (
        <TagsInput
          label={t('export.paths')}
          description={t('export.pathsHelp')}
          data={['**', ...knownPaths.filter((path) => path !== '**')]}
          limit={200}
          value={draft.paths}
          error={faults['paths']}
          acceptValueOnBlur
          onChange={(paths) => onChange({ paths })}
        />
      )}
      <Sampling {...props} />
      <div className={classes.row}>
        <Choice
          label={t('export.format')}
          value={draft.format}
          data={[
            { value: 'csv', label: 'CSV' },
            { value: 'xlsx', label: 'Excel (XLSX)' },
          ]}
          onChange={(format) =>
            onChange({ format, times: format === 'xlsx' ? 'local' : 'iso8601' })
          }
        />
        <Choice
          label={t('export.layout')}
          help={t(draft.layout === 'long' ? 'export.longHelp' : 'export.wideHelp')}
          error={faults['layout']}
          value={draft.layout}
          data={[
            { value: 'long', label: t('export.long') },
            { value: 'wide', label: t('export.wide') },
          ]}
          onChange={(layout) => onChange({ layout })}
        />
      </div>
      <Times {...props} />
    </>
  )
}

function Sampling({ draft, faults, onChange }: Props) {
  const t = useWords()
  const stepped = draft.every !== 'stored'
  return (
    <div className={classes.row}>
      <Select
        label={t('export.values')}
        allowDeselect={false}
        value={draft.every}
        data={[
          { value: 'stored', label: t('export.stored') },
          ...exportFigures.map((value) => ({ value, label: t(`export.figure.${value}`) })),
        ]}
        onChange={(every) => every !== null && onChange({ every })}
      />
      {stepped && (
        <div className={classes.pair}>
          <NumberInput
            label={t('export.step')}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={draft.size}
            error={faults['size']}
            onChange={(size) => onChange({ size: Number(size) })}
          />
          <Select
            aria-label={t('export.unit')}
            allowDeselect={false}
            value={draft.unit}
            data={exportUnits.map((value) => ({ value, label: t(`export.units.${value}`) }))}
            onChange={(unit) => unit !== null && onChange({ unit })}
          />
        </div>
      )}
    </div>
  )
}

function Times({ draft, faults, onChange }: Props) {
  const t = useWords()
  const [zones] = useState(knownZones)
  return (
    <div className={classes.row}>
      <Select
        label={t('export.times')}
        allowDeselect={false}
        value={draft.times}
        data={exportTimes.map((value) => ({
          value,
          label: t(
            value === 'local' ? `export.time.local.${draft.format}` : `export.time.${value}`,
          ),
        }))}
        onChange={(times) => times !== null && onChange({ times })}
      />
      <Select
        label={t('export.zone')}
        searchable
        limit={60}
        allowDeselect={false}
        value={draft.zone}
        error={faults['zone']}
        data={zones.includes(draft.zone) ? zones : [draft.zone, ...zones]}
        onChange={(zone) => zone !== null && onChange({ zone })}
      />
      {draft.format === 'csv' && (
        <Select
          label={t('export.separator')}
          allowDeselect={false}
          value={draft.separator}
          data={exportSeparators.map((value) => ({
            value,
            label: t(`export.separators.${value}`),
          }))}
          onChange={(separator) => separator !== null && onChange({ separator })}
        />
      )}
    </div>
  )
}

type ChoiceProps<T extends string> = {
  label: string
  help?: string
  error?: string | undefined
  value: T
  data: { value: T; label: string }[]
  onChange: (value: T) => void
}

function Choice<T extends string>({ label, help, error, value, data, onChange }: ChoiceProps<T>) {
  return (
    <Input.Wrapper
      label={label}
      description={help}
      error={error}
      labelElement="div"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <SegmentedControl
        fullWidth
        aria-label={label}
        value={value}
        data={data}
        onChange={(chosen) => onChange(chosen)}
      />
    </Input.Wrapper>
  )
}

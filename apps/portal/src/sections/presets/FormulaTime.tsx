import { figureNames } from '@longreach/formula/figures'
import { timeUnits } from '@longreach/calendar/units'
import { useWords } from '@longreach/ui/use-words'
import { NumberInput, Select } from '@mantine/core'
import { changeLeaf } from './bind-rules.ts'
import {
  fills,
  type FormulaTime as Time,
  paddings,
  readTime,
  stretches,
  type TimeField,
  timeFaults,
  usualFigure,
  withTime,
} from './formula-time-rules.ts'
import { nodeAt, type Row } from './preset-tree-rules.ts'
import classes from './presets.module.css'
import type { Editor } from './use-editor.ts'

type Props = { editor: Editor; row: Row }

/** Times at which a formula is computed, at each value or in steps, and the aggregation of its results. */
export function FormulaTime({ editor, row }: Props) {
  const t = useWords()
  const { draft, model, locked } = editor
  const time = readTime(nodeAt(draft.data, row.keys))
  const change = (part: Partial<Time>) =>
    editor.change(
      changeLeaf(draft.data, model, row, (leaf) => withTime(leaf, { ...time, ...part })),
      `time ${row.path}`,
    )
  return (
    <fieldset className={classes.policy} disabled={locked}>
      <legend>{t('presets.time')}</legend>
      <Steps time={time} onChange={change} />
      <Summing time={time} onChange={change} />
      <Missing time={time} onChange={change} />
    </fieldset>
  )
}

type PartProps = { time: Time; onChange: (part: Partial<Time>) => void }

function Steps({ time, onChange }: PartProps) {
  const t = useWords()
  const { stepUnit, stepFigure } = time
  const onEach = { value: 'each', label: t('presets.time.each') }
  return (
    <>
      <Select
        size="xs"
        label={t('presets.time.when')}
        description={stepUnit === '' ? undefined : t('presets.time.stepHelp')}
        allowDeselect={false}
        value={stepUnit === '' ? 'each' : 'steps'}
        data={[onEach, { value: 'steps', label: t('presets.time.inSteps') }]}
        onChange={(value) => onChange({ stepUnit: value === 'steps' ? 'minutes' : '' })}
      />
      {stepUnit !== '' && (
        <>
          <div className={classes.pair}>
            <Size field="stepSize" label="stepSize" {...{ time, onChange }} />
            <Unit value={stepUnit} onChange={(unit) => onChange({ stepUnit: unit })} />
          </div>
          <FigureSelect
            label={t('presets.time.stepFigure')}
            usual
            value={stepFigure}
            onChange={(figure) => onChange({ stepFigure: figure })}
          />
          {stepFigure === 'percentile' && (
            <Size field="stepParam" label="percentile" {...{ time, onChange }} />
          )}
        </>
      )}
    </>
  )
}

function Summing({ time, onChange }: PartProps) {
  const t = useWords()
  const { over, overUnit, stepUnit, figure } = time
  // The last steps can be taken together only where there are steps.
  const offered = stretches.filter((one) => one !== 'steps' || stepUnit !== '')
  const shown = offered.find((one) => one === over) ?? 'none'
  return (
    <>
      <Select
        size="xs"
        label={t('presets.time.over')}
        allowDeselect={false}
        value={shown}
        data={offered.map((value) => ({ value, label: t(`presets.time.over.${value}`) }))}
        onChange={(value) => {
          const next = offered.find((one) => one === value) ?? 'none'
          onChange({ over: next, ...(overUnit === '' && { overUnit: 'hours' }) })
        }}
      />
      {shown === 'steps' && <Size field="extent" label="extent" {...{ time, onChange }} />}
      {(shown === 'SCALAR' || shown === 'MOVING') && (
        <div className={classes.pair}>
          <Size field="overSize" label="overSize" {...{ time, onChange }} />
          <Unit value={overUnit} onChange={(unit) => onChange({ overUnit: unit })} />
        </div>
      )}
      {shown !== 'none' && (
        <FigureSelect
          label={t('presets.time.figure')}
          value={figure}
          onChange={(name) => onChange({ figure: name })}
        />
      )}
      {shown !== 'none' && figure === 'percentile' && (
        <Size field="param" label="percentile" {...{ time, onChange }} />
      )}
    </>
  )
}

function Missing({ time, onChange }: PartProps) {
  const t = useWords()
  return (
    <>
      <Select
        size="xs"
        label={t('presets.time.fill')}
        allowDeselect={false}
        value={time.fill}
        data={fills.map((value) => ({ value, label: t(`presets.time.fill.${value}`) }))}
        onChange={(value) => onChange({ fill: fills.find((one) => one === value) ?? fills[0] })}
      />
      <Select
        size="xs"
        label={t('presets.time.padding')}
        allowDeselect={false}
        value={time.padding}
        data={paddings.map((value) => ({ value, label: t(`presets.time.padding.${value}`) }))}
        onChange={(value) =>
          onChange({ padding: paddings.find((one) => one === value) ?? paddings[0] })
        }
      />
    </>
  )
}

type SizeProps = PartProps & {
  field: TimeField
  label: 'stepSize' | 'percentile' | 'extent' | 'overSize'
}

/** Number field that keeps the typed text and shows its fault. */
function Size({ field, label, time, onChange }: SizeProps) {
  const t = useWords()
  const fault = timeFaults(time)[field]
  const value = time[field]
  return (
    <NumberInput
      size="xs"
      label={t(`presets.time.${label}`)}
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      error={fault && t(`presets.time.wrong.${fault}`)}
      onChange={(next) => onChange({ [field]: next })}
    />
  )
}

function Unit({ value, onChange }: { value: string; onChange: (unit: string) => void }) {
  const t = useWords()
  return (
    <Select
      size="xs"
      label={t('presets.time.unit')}
      allowDeselect={false}
      value={value}
      data={timeUnits.map((unit) => ({ value: unit, label: t(`presets.time.unit.${unit}`) }))}
      onChange={(unit) => unit !== null && onChange(unit)}
    />
  )
}

type FigureProps = {
  label: string
  value: string
  usual?: boolean
  onChange: (name: string) => void
}

function FigureSelect({ label, value, usual = false, onChange }: FigureProps) {
  const t = useWords()
  const names = usual ? ([usualFigure, ...figureNames] as const) : figureNames
  return (
    <Select
      size="xs"
      label={label}
      allowDeselect={false}
      value={value === '' ? null : value}
      data={names.map((name) => ({ value: name, label: t(`presets.time.figure.${name}`) }))}
      onChange={(name) => name !== null && onChange(name)}
    />
  )
}

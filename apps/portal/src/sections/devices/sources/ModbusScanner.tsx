import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ScanAnswer } from './agent-answers.ts'
import { useAgentCommand, useAgentErrorText } from './agent-calls.ts'
import type { BrowserProps } from './browser-props.ts'
import { unitsOf } from './modbus-scan-rules.ts'
import { addressKeyOf, type Tag } from './source-rules.ts'
import classes from './sources.module.css'

const areas = ['holding', 'input', 'coil', 'discrete'] as const
type Area = (typeof areas)[number]

/** Asks a Modbus device in small blocks which units answer and what is in their registers. */
export function ModbusScanner({ deviceId, draft, onToggle }: BrowserProps) {
  const t = useWords()
  const ask = useAgentCommand(deviceId)
  const errorText = useAgentErrorText()
  const [units, setUnits] = useState(String(draft['unit'] ?? 1))
  const [chosen, setChosen] = useState<Area[]>(['holding', 'input'])
  const [from, setFrom] = useState(0)
  const [count, setCount] = useState(100)
  const scan = useMutation({
    mutationFn: () =>
      ask(
        {
          command: 'modbus.scan',
          input: {
            host: String(draft['host'] ?? ''),
            port: Number(draft['port'] ?? 502),
            units: unitsOf(units),
            areas: chosen,
            from,
            count,
            timeoutMs: 500,
          },
        },
        ScanAnswer,
      ),
  })
  const number = (label: string, value: number, set: (value: number) => void, most: number) => (
    <NumberInput
      label={label}
      w={110}
      min={0}
      max={most}
      allowDecimal={false}
      value={value}
      onChange={(next) => set(Number(next) || 0)}
    />
  )
  return (
    <div className={classes.stack}>
      <div className={classes.bar}>
        <TextInput
          label={t('gateway.units')}
          w={110}
          value={units}
          onChange={(event) => setUnits(event.currentTarget.value)}
        />
        <MultiSelect
          label={t('gateway.areas')}
          w={260}
          data={areas.map((area) => ({ value: area, label: t(`gateway.area.${area}`) }))}
          value={chosen}
          onChange={(next) => setChosen(areas.filter((area) => next.includes(area)))}
        />
        {number(t('gateway.from'), from, setFrom, 65_535)}
        {number(t('gateway.count'), count, setCount, 2_000)}
        <Button
          variant="default"
          disabled={
            unitsOf(units).length === 0 || chosen.length === 0 || !draft['host'] || count < 1
          }
          loading={scan.isPending}
          onClick={() => scan.mutate()}
        >
          {t('gateway.scan')}
        </Button>
      </div>
      {scan.error && <ErrorPanel message={errorText(scan.error, t('gateway.noAnswer'))} />}
      {scan.data && (
        <Found answer={scan.data} tags={draft.tags} own={draft['unit']} onToggle={onToggle} />
      )}
    </div>
  )
}

type FoundProps = {
  answer: ScanAnswer
  tags: readonly Tag[]
  own: unknown
  onToggle: (tag: Tag) => void
}

function Found({ answer, tags, own, onToggle }: FoundProps) {
  const t = useWords()
  const silent = answer.units.filter(({ answers }) => !answers).map(({ unit }) => unit)
  return (
    <>
      {!answer.complete && <p className={classes.dim}>{t('gateway.scanCut')}</p>}
      {silent.length > 0 && (
        <p className={classes.dim}>{t('gateway.silentUnits', { units: silent.join(', ') })}</p>
      )}
      <div className={classes.scroll}>
        <table className={classes.table} aria-label={t('gateway.found')}>
          <thead>
            <tr>
              <th scope="col">{t('gateway.place')}</th>
              <th scope="col">{t('gateway.raw')}</th>
              <th scope="col">{t('gateway.readAs')}</th>
            </tr>
          </thead>
          <tbody>
            {answer.units.flatMap(({ unit, areas: of }) =>
              of.flatMap(({ area, found }) =>
                found.map((one) => (
                  <FoundRow
                    key={`${unit} ${area} ${one.address}`}
                    place={{ area, address: one.address, ...(unit !== own && { unit }) }}
                    found={one}
                    tags={tags}
                    onToggle={onToggle}
                  />
                )),
              ),
            )}
          </tbody>
        </table>
      </div>
    </>
  )
}

type RowProps = {
  place: { area: Area; address: number; unit?: number }
  found: ScanAnswer['units'][number]['areas'][number]['found'][number]
  tags: readonly Tag[]
  onToggle: (tag: Tag) => void
}

/** One register with what it may be; the likeliest type is chosen. */
function FoundRow({ place, found, tags, onToggle }: RowProps) {
  const t = useWords()
  const [guess, setGuess] = useState(0)
  const name = `${place.unit === undefined ? '' : `unit${place.unit}_`}${place.area}_${place.address}`
  const chosen = found.guesses[guess]
  const tag: Tag = {
    name,
    ...place,
    ...(chosen && { type: chosen.type }),
    ...(chosen && /32/.test(chosen.type) && { wordOrder: chosen.wordOrder }),
  }
  const text = `${t(`gateway.area.${place.area}`)} ${place.address}`
  return (
    <tr>
      <td>
        <Checkbox
          label={place.unit === undefined ? text : `${text} @${place.unit}`}
          checked={tags.some((one) => addressKeyOf(one) === addressKeyOf(tag))}
          onChange={() => onToggle(tag)}
        />
      </td>
      <td className={classes.number}>{String(found.raw)}</td>
      <td>
        {found.guesses.length > 0 && (
          <Select
            aria-label={t('gateway.readAsOf', { place: text })}
            allowDeselect={false}
            data={found.guesses.map(({ type, wordOrder, value }, index) => ({
              value: String(index),
              label: `${type}${/32/.test(type) ? ` ${wordOrder}` : ''} = ${String(value)}`,
            }))}
            value={String(guess)}
            onChange={(next) => setGuess(Number(next ?? 0))}
          />
        )}
      </td>
    </tr>
  )
}

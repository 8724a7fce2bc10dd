import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, NumberInput, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MemoryAnswer } from './agent-answers.ts'
import { useAgentCommand, useAgentErrorText } from './agent-calls.ts'
import type { BrowserProps } from './browser-props.ts'
import { cleaned, addressKeyOf, type Tag } from './source-rules.ts'
import classes from './sources.module.css'

const areas = ['DB', 'M', 'I', 'Q'] as const
type Area = (typeof areas)[number]

/** A piece of an S7 controller's memory, with what each place may be. */
export function S7Memory({ deviceId, draft, replaces, onToggle }: BrowserProps) {
  const t = useWords()
  const ask = useAgentCommand(deviceId)
  const errorText = useAgentErrorText()
  const [area, setArea] = useState<Area>('DB')
  const [db, setDb] = useState(1)
  const [from, setFrom] = useState(0)
  const [count, setCount] = useState(64)
  const read = useMutation({
    mutationFn: async () => {
      const named = replaces === undefined ? {} : { replaces }
      const input = { source: cleaned(draft), area, db, from, count, ...named }
      const { places } = await ask({ command: 's7.read', input }, MemoryAnswer)
      return { places, at: { area, ...(area === 'DB' && { db }) } }
    },
  })
  const number = (label: string, value: number, set: (value: number) => void) => (
    <NumberInput
      label={label}
      w={100}
      min={0}
      allowDecimal={false}
      value={value}
      onChange={(next) => set(Number(next) || 0)}
    />
  )
  return (
    <div className={classes.stack}>
      <div className={classes.bar}>
        <Select
          label={t('gateway.areas')}
          w={90}
          allowDeselect={false}
          data={[...areas]}
          value={area}
          onChange={(next) => setArea(areas.find((one) => one === next) ?? 'DB')}
        />
        {area === 'DB' && number('DB', db, setDb)}
        {number(t('gateway.from'), from, setFrom)}
        {number(t('gateway.count'), count, setCount)}
        <Button variant="default" loading={read.isPending} onClick={() => read.mutate()}>
          {t('gateway.readMemory')}
        </Button>
      </div>
      {read.error && <ErrorPanel message={errorText(read.error, t('gateway.noAnswer'))} />}
      {read.data && (
        <div className={classes.scroll}>
          <table className={classes.table} aria-label={t('gateway.found')}>
            <thead>
              <tr>
                <th scope="col">{t('gateway.place')}</th>
                <th scope="col">{t('gateway.readAs')}</th>
              </tr>
            </thead>
            <tbody>
              {read.data.places.map((place) => (
                <Place
                  key={place.offset}
                  at={read.data.at}
                  place={place}
                  tags={draft.tags}
                  onToggle={onToggle}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

type PlaceProps = {
  at: { area: Area; db?: number }
  place: { offset: number; guesses: { type: string; value: number }[] }
  tags: readonly Tag[]
  onToggle: (tag: Tag) => void
}

function Place({ at, place: { offset, guesses }, tags, onToggle }: PlaceProps) {
  const t = useWords()
  const [guess, setGuess] = useState(0)
  const where = `${at.area}${at.db ?? ''}`
  const tag: Tag = {
    name: `${where}_${offset}`,
    ...at,
    offset,
    type: guesses[guess]?.type ?? 'int',
  }
  return (
    <tr>
      <td>
        <Checkbox
          label={`${where} ${offset}`}
          checked={tags.some((one) => addressKeyOf(one) === addressKeyOf(tag))}
          onChange={() => onToggle(tag)}
        />
      </td>
      <td>
        <Select
          aria-label={t('gateway.readAsOf', { place: `${where} ${offset}` })}
          allowDeselect={false}
          data={guesses.map(({ type, value }, index) => ({
            value: String(index),
            label: `${type} = ${value}`,
          }))}
          value={String(guess)}
          onChange={(next) => setGuess(Number(next ?? 0))}
        />
      </td>
    </tr>
  )
}

import { useWords } from '@longreach/ui/use-words'
import { Checkbox, Fieldset, TextInput } from '@mantine/core'
import { useId } from 'react'
import { useMay } from '../session/session.ts'
import classes from './ShelfEndFields.module.css'
import { type EndChoice, shelfEndOf, plainMs, shelfMinutes, toWritten } from './shelf-ends.ts'

type Props = {
  choice: EndChoice
  onChoice: (choice: EndChoice) => void
  endOnReturn: boolean
  onEndOnReturn: (endOnReturn: boolean) => void
  error: string | undefined
}

/** Time for which something is shelved, as choices and as a written end, and whether its return ends it. */
export function ShelfEndFields({ choice, onChoice, endOnReturn, onEndOnReturn, error }: Props) {
  const t = useWords()
  const name = useId()
  const mayLong = useMay()('alarms:update')
  const isWritten = 'written' in choice
  return (
    <Fieldset legend={t('alarm-shelves.for')}>
      <div className={classes.choices}>
        {shelfMinutes.map((minutes) => (
          <label key={minutes} className={classes.choice}>
            <input
              type="radio"
              name={name}
              checked={!isWritten && choice.minutes === minutes}
              disabled={!mayLong && minutes * 60_000 > plainMs}
              onChange={() => onChoice({ minutes })}
            />
            <span>{t(`alarm-shelves.minutes.${minutes}`)}</span>
          </label>
        ))}
        <label className={classes.choice}>
          <input
            type="radio"
            name={name}
            checked={isWritten}
            onChange={() =>
              onChoice({ written: toWritten(shelfEndOf(choice, Date.now()) ?? Date.now()) })
            }
          />
          <span>{t('alarm-shelves.untilTime')}</span>
        </label>
      </div>
      {!mayLong && <p className={classes.note}>{t('alarm-shelves.longNeedsUpdate')}</p>}
      {isWritten && (
        <TextInput
          type="datetime-local"
          mt="xs"
          label={t('alarm-shelves.end')}
          value={choice.written}
          onChange={(event) => onChoice({ written: event.currentTarget.value })}
          error={error}
        />
      )}
      {!isWritten && error !== undefined && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      <Checkbox
        mt="sm"
        label={t('alarm-shelves.endOnReturn')}
        description={t('alarm-shelves.endOnReturnHelp')}
        checked={endOnReturn}
        onChange={(event) => onEndOnReturn(event.currentTarget.checked)}
      />
    </Fieldset>
  )
}

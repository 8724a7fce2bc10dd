import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Fieldset, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { browserZone } from '../../parts/look/time-zone.ts'
import classes from './on-call.module.css'
import { newOverride, type OverrideDraft } from './schedule-draft.ts'

type Props = {
  overrides: OverrideDraft[]
  faultOf: (place: number) => string | undefined
  onChange: (overrides: OverrideDraft[]) => void
}

/** People who stand in for a time. */
export function OverrideFields({ overrides, faultOf, onChange }: Props) {
  const t = useWords()
  const set = (key: number, part: Partial<OverrideDraft>) =>
    onChange(overrides.map((one) => (one.key === key ? { ...one, ...part } : one)))
  return (
    <>
      {overrides.map(({ key, person, from, to }, place) => (
        <Fieldset
          key={key}
          className={classes.box}
          legend={
            <span className={classes.legend}>
              {t('on-call.override', { n: place + 1 })}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('on-call.removeOverride', { n: place + 1 })}
                onClick={() => onChange(overrides.filter((one) => one.key !== key))}
              >
                <IconTrash size={15} stroke={1.7} />
              </ActionIcon>
            </span>
          }
        >
          <div className={classes.pair}>
            <TextInput
              required
              label={t('on-call.person')}
              value={person}
              error={faultOf(place)}
              onChange={(event) => set(key, { person: event.currentTarget.value })}
            />
            <TextInput
              type="datetime-local"
              required
              label={t('on-call.from')}
              value={from}
              onChange={(event) => set(key, { from: event.currentTarget.value })}
            />
            <TextInput
              type="datetime-local"
              required
              label={t('on-call.until')}
              value={to}
              onChange={(event) => set(key, { to: event.currentTarget.value })}
            />
          </div>
        </Fieldset>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        className={classes.add}
        leftSection={<IconPlus size={14} stroke={2} />}
        onClick={() => {
          const next = Math.max(-1, ...overrides.map((one) => one.key)) + 1
          onChange([...overrides, newOverride(next, browserZone())])
        }}
      >
        {t('on-call.addOverride')}
      </Button>
    </>
  )
}

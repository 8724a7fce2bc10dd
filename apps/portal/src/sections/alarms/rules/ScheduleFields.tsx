import { useWords } from '@longreach/ui/use-words'
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Select,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useIntl } from 'react-intl'
import { knownZones } from '../../../parts/look/time-zone.ts'
import { useEditing } from './rule-context.ts'
import { daysText } from '../../../parts/words/days-text.ts'
import { classes } from './rule-classes.ts'

const workdays = [1, 2, 3, 4, 5]
const newWindow = { days: workdays, from: '06:00', to: '22:00' }

/** Times at which the rule is judged. */
export function ScheduleFields() {
  const t = useWords()
  const { rule, set, faultOf, locked } = useEditing()
  const { schedule } = rule
  return (
    <div className={classes.fields}>
      <Switch
        label={t('alarm-rules.onlyAt')}
        disabled={locked}
        checked={schedule !== undefined}
        onChange={(event) =>
          set(
            'schedule',
            event.currentTarget.checked
              ? { zone: 'device', times: [newWindow], exceptDates: [] }
              : undefined,
          )
        }
      />
      {schedule && (
        <>
          {schedule.times.map((window, index) => (
            <WindowFields
              // A window has no other name than its place.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              index={index}
              window={window}
              onRemove={() =>
                set(
                  'schedule.times',
                  schedule.times.filter((_, at) => at !== index),
                )
              }
            />
          ))}
          {faultOf('schedule.times') && (
            <p className={classes.fault}>{faultOf('schedule.times')}</p>
          )}
          {!locked && (
            <Button
              variant="subtle"
              size="compact-sm"
              className={classes.add}
              leftSection={<IconPlus size={14} stroke={2} />}
              onClick={() => set('schedule.times', [...schedule.times, newWindow])}
            >
              {t('alarm-rules.addWindow')}
            </Button>
          )}
          <div className={classes.pair}>
            <Select
              label={t('alarm-rules.zone')}
              searchable
              limit={100}
              allowDeselect={false}
              disabled={locked}
              error={faultOf('schedule.zone')}
              data={[{ value: 'device', label: t('alarm-rules.zoneOfDevice') }, ...knownZones()]}
              value={schedule.zone}
              onChange={(zone) => set('schedule.zone', zone ?? 'device')}
            />
            <TagsInput
              size="xs"
              label={t('alarm-rules.exceptDates')}
              description={t('alarm-rules.exceptDatesHelp')}
              disabled={locked}
              error={faultOf('schedule.exceptDates')}
              maxTags={366}
              value={schedule.exceptDates}
              onChange={(dates) => set('schedule.exceptDates', dates)}
            />
          </div>
        </>
      )}
    </div>
  )
}

type WindowProps = {
  index: number
  window: { days: number[]; from: string; to: string }
  onRemove: () => void
}

/** Days and hours of one window. */
function WindowFields({ index, window, onRemove }: WindowProps) {
  const t = useWords()
  const { locale } = useIntl()
  const { set, faultOf, locked } = useEditing()
  const place = `schedule.times.${index}`
  return (
    <div className={classes.leaf}>
      <div className={classes.leafFields}>
        <Checkbox.Group
          label={t('alarm-rules.days')}
          error={faultOf(`${place}.days`)}
          value={window.days.map(String)}
          onChange={(days) =>
            set(
              `${place}.days`,
              days.map(Number).toSorted((a, b) => a - b),
            )
          }
        >
          <Group gap="sm">
            {[1, 2, 3, 4, 5, 6, 0].map((day) => (
              <Checkbox
                key={day}
                value={String(day)}
                label={daysText(String(day), locale)}
                disabled={locked}
              />
            ))}
          </Group>
        </Checkbox.Group>
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="time"
            label={t(`alarm-rules.window.${name}`)}
            disabled={locked}
            error={faultOf(`${place}.${name}`)}
            value={window[name] === '24:00' ? '00:00' : window[name]}
            onChange={(event) => {
              const time = event.currentTarget.value
              set(`${place}.${name}`, name === 'to' && time === '00:00' ? '24:00' : time)
            }}
          />
        ))}
      </div>
      {!locked && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('alarm-rules.removeWindow', { window: index + 1 })}
          onClick={onRemove}
        >
          <IconTrash size={16} stroke={1.7} />
        </ActionIcon>
      )}
    </div>
  )
}

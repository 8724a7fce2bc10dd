import { useNow } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Checkbox, Popover, Stack, Switch } from '@mantine/core'
import { IconBellZ, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import {
  playSound,
  readySound,
  useIsSoundReady,
  useSoundChoice,
} from '../../parts/alarms/alarm-sound.ts'
import { severityNames, type SeverityName } from '../../parts/alarms/severity.ts'
import { muteMs } from '../../parts/alarms/sound-choice.ts'
import classes from './SoundMenu.module.css'

/** Button and choices of the sound of new alarms: on or off, for which severities, and silence for 10 minutes. */
export function SoundMenu() {
  const t = useWords()
  const [choice, change] = useSoundChoice()
  const isReady = useIsSoundReady()
  const left = choice.mutedUntil - useNow()
  const isMuted = choice.on && left > 0
  const state = !choice.on ? 'off' : isMuted ? 'muted' : isReady ? 'on' : 'waits'
  const Icon = state === 'off' ? IconVolumeOff : state === 'muted' ? IconBellZ : IconVolume
  return (
    <Popover position="bottom-end" width={300} withinPortal trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={`${t('alarm-sound.sound')}: ${t(`alarm-sound.state.${state}`)}`}
          title={t(`alarm-sound.state.${state}`)}
          data-state={state}
          className={classes.button}
        >
          <Icon size={16} stroke={1.7} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('alarm-sound.sound')}>
        <Stack gap="sm">
          <Switch
            label={t('alarm-sound.turnOn')}
            description={t('alarm-sound.kept')}
            checked={choice.on}
            onChange={(event) => {
              const on = event.currentTarget.checked
              change({ on, mutedUntil: 0 })
              if (on) void readySound()
            }}
          />
          {state === 'waits' && (
            <p className={classes.note} role="status">
              {t('alarm-sound.needsPress')}
            </p>
          )}
          <Severities
            chosen={choice.severities}
            onChange={(severities) => change({ severities })}
          />
          <div className={classes.buttons}>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => void testSound(choice.severities)}
            >
              {t('alarm-sound.test')}
            </Button>
            {choice.on && (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => change({ mutedUntil: isMuted ? 0 : Date.now() + muteMs })}
              >
                {isMuted
                  ? t('alarm-sound.unmute', { minutes: Math.ceil(left / 60_000) })
                  : t('alarm-sound.mute')}
              </Button>
            )}
          </div>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Plays the sound of the worst severity that is chosen. */
async function testSound(chosen: readonly SeverityName[]) {
  await readySound()
  playSound(severityNames.find((name) => chosen.includes(name)) ?? 'info')
}

type SeveritiesProps = {
  chosen: readonly SeverityName[]
  onChange: (chosen: readonly SeverityName[]) => void
}

function Severities({ chosen, onChange }: SeveritiesProps) {
  const t = useWords()
  return (
    <Checkbox.Group
      label={t('alarm-sound.severities')}
      value={[...chosen]}
      onChange={(next) => onChange(severityNames.filter((name) => next.includes(name)))}
    >
      <Stack gap={10} mt={8}>
        {severityNames.map((name) => (
          <Checkbox key={name} value={name} label={t(`alarm.severity.${name}`)} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

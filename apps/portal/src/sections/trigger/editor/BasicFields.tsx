import { useWords } from '@longreach/ui/use-words'
import { MultiSelect, Select, TextInput } from '@mantine/core'
import { knownZones } from '../../../parts/look/time-zone.ts'
import { useGroupNames } from '../use-group-names.ts'
import { classes } from './editor-classes.ts'
import { type TriggerFieldProps, useTriggerField } from './trigger-context.ts'
import { LongTextEntry, SwitchEntry, TextEntry, TickEntry } from './TriggerFields.tsx'

/** Name, state, devices and notes of a trigger. */
export function BasicFields() {
  const t = useWords()
  return (
    <div className={classes.fields}>
      <div className={classes.named}>
        <TextEntry place="name" label={t('trigger.name')} maxLength={200} />
        <div className={classes.segment}>
          <SwitchEntry place="disabled" label={t('trigger.on')} isOff />
        </div>
      </div>
      <GroupsEntry
        place="deviceGroups"
        label={t('trigger-editor.groups')}
        help={t('trigger-editor.groupsHelp')}
      />
      <TickEntry
        place="longreach.below"
        label={t('trigger-editor.below')}
        help={t('trigger-editor.belowHelp')}
      />
      <LongTextEntry
        place="longreach.description"
        label={t('trigger-editor.description')}
        maxLength={2_000}
      />
    </div>
  )
}

/** Device groups of which a device must be in one. */
function GroupsEntry(props: TriggerFieldProps) {
  const t = useWords()
  const { groups, nameOf, namesOf } = useGroupNames()
  const { value, set, common } = useTriggerField(props)
  const chosen = Array.isArray(value) ? value.map(String) : []
  if (common.disabled) {
    // Groups of a field that is off are too pale to read.
    return <TextInput {...common} value={namesOf({ deviceGroups: chosen })} readOnly />
  }
  const unknown = chosen.filter((id) => !groups.some((group) => group.value === id))
  return (
    <MultiSelect
      {...common}
      searchable
      clearable
      placeholder={chosen.length === 0 ? t('trigger.allDevices') : undefined}
      nothingFoundMessage={t('trigger-editor.noGroupFound')}
      data={[...groups, ...unknown.map((id) => ({ value: id, label: nameOf(id) }))]}
      limit={100}
      value={chosen}
      onChange={set}
    />
  )
}

const languageNames = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
} as const

/** Language and time zone of the messages of a trigger. */
export function MessageSettings() {
  const t = useWords()
  const language = useTriggerField({ place: 'locale', label: t('trigger-editor.language') })
  const zone = useTriggerField({
    place: 'timezone',
    label: t('trigger-editor.zone'),
    help: t('trigger-editor.zoneHelp'),
  })
  return (
    <div className={classes.pair}>
      <Select
        {...language.common}
        clearable
        placeholder="English"
        data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
        value={typeof language.value === 'string' ? language.value.slice(0, 2) || null : null}
        onChange={(next) => language.set(next ?? '')}
      />
      <Select
        {...zone.common}
        searchable
        clearable
        limit={100}
        placeholder="UTC"
        data={knownZones()}
        value={typeof zone.value === 'string' && zone.value !== '' ? zone.value : null}
        onChange={(next) => zone.set(next ?? '')}
      />
    </div>
  )
}

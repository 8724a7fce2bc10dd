import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { LimitField } from './LimitField.tsx'
import { useEditing } from './rule-context.ts'
import { mayHaveLevels, withLevel, withoutLevel } from './rule-draft.ts'
import { PlaceFault } from './PlaceFault.tsx'
import { SeverityField } from './RuleField.tsx'
import { SeverityProposal } from './SeverityProposal.tsx'
import { classes } from './rule-classes.ts'

const most = 4

/** Levels of the alarm: each a severity, and a limit where there are several. */
export function AlarmLevelFields() {
  const t = useWords()
  const { rule, edit, locked } = useEditing()
  const several = rule.levels.length > 1
  const mayAdd = mayHaveLevels(rule) && rule.levels.length < most && !locked
  return (
    <div className={classes.fields}>
      {rule.levels.map((_, index) => (
        // A level has no other name than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.leaf}>
          <div className={classes.leafFields}>
            <div className={classes.whole}>
              <PlaceFault place={`levels.${index}`} />
            </div>
            <SeverityField place={`levels.${index}.severity`} label={t('alarm-rules.severity')} />
            {several && (
              <>
                <LimitField place={`levels.${index}.value`} label={t('alarm-rules.limit')} />
                <LimitField place={`levels.${index}.clear`} label={t('alarm-rules.clear')} />
              </>
            )}
          </div>
          {several && !locked && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('alarm-rules.removeLevel', { level: index + 1 })}
              onClick={() => edit((before) => withoutLevel(before, index))}
            >
              <IconTrash size={16} stroke={1.7} />
            </ActionIcon>
          )}
        </div>
      ))}
      {mayAdd && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.add}
          leftSection={<IconPlus size={14} stroke={2} />}
          onClick={() => edit(withLevel)}
        >
          {t('alarm-rules.addLevel')}
        </Button>
      )}
      {!locked && <SeverityProposal />}
    </div>
  )
}

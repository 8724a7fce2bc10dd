import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../../parts/session/session.ts'
import { ruleOf, type StoredRule } from './rule-calls.ts'

const ShelveDialog = late(() => import('../../../parts/alarms/ShelveDialog.tsx'), 'ShelveDialog')

/** Button that shelves all alarms of a rule. */
export function ShelveRule({ stored }: { stored: StoredRule }) {
  const t = useWords()
  const [open, setOpen] = useState(false)
  if (!useMay()('alarms:ack')) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('alarm-shelves.shelve')}
      </Button>
      {open && (
        <ShelveDialog
          about={{ type: 'rule', id: stored.id, name: ruleOf(stored).name }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

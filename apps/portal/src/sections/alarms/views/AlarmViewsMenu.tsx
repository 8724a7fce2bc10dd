import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { type AlarmView, useOpenAlarmView } from './alarm-views.ts'

const AlarmViewDialog = late(() => import('./AlarmViewDialog.tsx'), 'AlarmViewDialog')
const AlarmViewsList = late(() => import('./AlarmViewsList.tsx'), 'AlarmViewsList')

/** Button of the saved views of the list: it names the open one. */
export function AlarmViewsMenu() {
  const t = useWords()
  const open = useOpenAlarmView()
  const [opened, setOpened] = useState<boolean>() // undefined until the first time
  const [dialog, setDialog] = useState<{ view: AlarmView | undefined }>()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const toggle = (next: boolean) => {
    setOpened(next)
    if (!next) button.current?.focus()
  }
  return (
    <>
      <Button
        ref={button}
        id={`${id}-target`} // the menu is named by it
        variant="default"
        leftSection={<IconBookmark size={15} />}
        aria-haspopup="menu"
        aria-expanded={opened === true}
        onClick={() => setOpened(!opened)}
      >
        {open.view ? open.view.name : t('alarm-views.views')}
        {open.isChanged && <span aria-hidden>{' •'}</span>}
      </Button>
      {opened !== undefined && (
        <AlarmViewsList
          {...{ id, open, opened, button }}
          onOpened={toggle}
          onSave={(view) => setDialog({ view })}
        />
      )}
      {dialog && <AlarmViewDialog view={dialog.view} onClose={() => setDialog(undefined)} />}
    </>
  )
}

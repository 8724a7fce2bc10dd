import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import type { useOpenView, View } from './use-views.ts'

const ViewDialog = late(() => import('./ViewDialog.tsx'), 'ViewDialog')
const ViewsList = late(() => import('./ViewsList.tsx'), 'ViewsList')

type Props = { open: ReturnType<typeof useOpenView>; canSave: boolean }

/** Saved views: open one, save what is shown, pass it on by a link. */
export function ViewsMenu({ open, canSave }: Props) {
  const t = useWords()
  const [opened, setOpened] = useState<boolean>() // undefined until the first time
  const [dialog, setDialog] = useState<{ view: View | undefined }>()
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
        {open.view ? open.view.name : t('data-explore.views')}
        {open.changed && <span aria-hidden>{'\u00a0•'}</span>}
      </Button>
      {opened !== undefined && (
        <ViewsList
          {...{ id, open, canSave, opened, button }}
          onOpened={toggle}
          onSave={(view) => setDialog({ view })}
        />
      )}
      {dialog && <ViewDialog view={dialog.view} onClose={() => setDialog(undefined)} />}
    </>
  )
}

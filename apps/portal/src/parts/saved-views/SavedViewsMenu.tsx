import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import type { SavedView, SavedViews } from './saved-views.ts'
import classes from './SavedViews.module.css'

const SavedViewDialog = late(() => import('./SavedViewDialog.tsx'), 'SavedViewDialog')
const SavedViewsList = late(() => import('./SavedViewsList.tsx'), 'SavedViewsList')

/** Button of the saved views of a page: it names the open one. Needs the words of `saved-views`. */
export function SavedViewsMenu({ views }: { views: SavedViews }) {
  const t = useWords()
  const [opened, setOpened] = useState<boolean>() // undefined until the first time
  const [dialog, setDialog] = useState<{ view: SavedView | undefined }>()
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
        className={classes.button}
        aria-haspopup="menu"
        aria-expanded={opened === true}
        onClick={() => setOpened(!opened)}
      >
        {views.open ? views.open.name : t('saved-views.views')}
        {views.isChanged && <span aria-hidden>{'\u00a0•'}</span>}
      </Button>
      {opened !== undefined && (
        <SavedViewsList
          {...{ id, opened, button }}
          views={views}
          onOpened={toggle}
          onSave={(view) => setDialog({ view })}
        />
      )}
      {dialog && (
        <SavedViewDialog views={views} view={dialog.view} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

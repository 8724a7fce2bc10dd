import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useWords } from '@longreach/ui/use-words'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { usePaletteEntries } from './use-palette-entries.ts'

/** Finds pages, devices, languages and colours by typing. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [text, setText] = useState('')
  const [store, spotlight] = useMemo(() => createSpotlight(), [])
  const groups = usePaletteEntries(text)
  useEffect(() => spotlight.open(), [spotlight])
  const onQuery = (next: string) => {
    setText(next)
    store.updateState((state) => ({ ...state, selected: -1 }))
  }
  // Enter takes the first hit where the arrows have not chosen another.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || store.getState().selected !== -1) return
    groups[0]?.entries[0]?.run()
    spotlight.close()
  }
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={onQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.35 }}
      aria-label={t('shell.palette')}
    >
      <Spotlight.Search
        onKeyDown={onKeyDown}
        placeholder={t('shell.search')}
        aria-label={t('shell.search')}
        leftSection={<IconSearch size={17} stroke={1.6} />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ id, entries }) => (
          <Spotlight.ActionsGroup key={id} label={t(`shell.palette.${id}`)}>
            {entries.map(({ key, label, note, icon: Icon, run }) => (
              <Spotlight.Action
                key={key}
                label={label}
                {...(note !== undefined && { description: note })}
                leftSection={Icon === undefined ? null : <Icon size={17} stroke={1.6} />}
                onClick={run}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{t('shell.palette.none')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

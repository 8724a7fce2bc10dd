import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useWords } from '@longreach/ui/use-words'
import { Kbd, Loader } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import classes from './CommandPalette.module.css'
import type { Entry, EntryGroup } from './palette-entry.ts'
import { paletteKeys } from './typed-ahead.ts'
import { usePaletteEntries } from './use-palette-entries.ts'

/** Finds pages, devices, values and people by typing, and does what the person asks for. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [text, setText] = useState('')
  /** Only values that may be written are offered. */
  const [writing, setWriting] = useState(false)
  const [store, spotlight] = useMemo(() => createSpotlight(), [])
  const { groups, searching } = usePaletteEntries(text, {
    writing,
    onWrite: () => {
      setText('')
      setWriting(true)
    },
  })
  useEffect(() => spotlight.open(), [spotlight])
  const onQuery = (next: string) => {
    setText(next)
    store.updateState((state) => ({ ...state, selected: -1 }))
  }
  const take = (entry: Entry | undefined) => {
    if (entry === undefined) return false
    entry.run()
    if (entry.stays !== true) spotlight.close()
    return true
  }
  const first = groups[0]?.entries[0]
  const onEntered = useTypedAhead({ setText, ready: !searching, onEnter: () => void take(first) })
  // Enter takes the first hit where the arrows have not chosen another.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || store.getState().selected !== -1) return
    event.preventDefault()
    if (!take(first) && searching) onEntered()
  }
  const placeholder = t(writing ? 'shell.palette.writeWhat' : 'shell.search')
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={onQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      closeOnActionTrigger={false}
      clearQueryOnClose={false}
      transitionProps={{ duration: 0 }}
      yOffset="10vh"
      overlayProps={{ backgroundOpacity: 0.35 }}
      classNames={{ body: classes.body }}
      aria-label={t('shell.palette')}
    >
      <Spotlight.Search
        onKeyDown={onKeyDown}
        onFocus={() => paletteKeys.end()}
        placeholder={placeholder}
        aria-label={placeholder}
        leftSection={<IconSearch size={17} stroke={1.6} />}
      />
      <Spotlight.ActionsList className={classes.list}>
        <Results groups={groups} searching={searching} onTake={(entry) => void take(entry)} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

type ResultsProps = {
  groups: readonly EntryGroup[]
  searching: boolean
  onTake: (entry: Entry) => void
}

function Results({ groups, searching, onTake }: ResultsProps) {
  const t = useWords()
  return (
    <>
      {groups.map(({ id, entries }) => (
        <Spotlight.ActionsGroup key={id} label={t(`shell.palette.${id}`)}>
          {entries.map((entry) => (
            <Spotlight.Action key={entry.key} label={entry.label} onClick={() => onTake(entry)}>
              <Line entry={entry} />
            </Spotlight.Action>
          ))}
        </Spotlight.ActionsGroup>
      ))}
      {searching && (
        <div className={classes.searching} role="status">
          <Loader size={14} />
          {t('shell.palette.searching')}
        </div>
      )}
      {groups.length === 0 && !searching && (
        <Spotlight.Empty>{t('shell.palette.none')}</Spotlight.Empty>
      )}
    </>
  )
}

type Ahead = { setText: (text: string) => void; ready: boolean; onEnter: () => void }

/** Copies text that was typed before the field had the focus; Enter is applied when the search is complete. */
function useTypedAhead({ setText, ready, onEnter }: Ahead) {
  /** Number of times that Enter was pressed; `done` is how many were applied. */
  const [entered, setEntered] = useState(0)
  const done = useRef(0)
  const enter = useEffectEvent(onEnter)
  useEffect(() => {
    const put = (typed: { text: string; entered: boolean }) => {
      if (typed.text !== '') setText(typed.text)
      if (typed.entered) setEntered(1)
    }
    put(paletteKeys.listen(put))
    return () => paletteKeys.end()
  }, [setText])
  useEffect(() => {
    if (entered === done.current || !ready) return
    done.current = entered
    enter()
  }, [entered, ready])
  return () => setEntered((count) => count + 1)
}

function Line({ entry: { label, note, value, keys, icon: Icon } }: { entry: Entry }) {
  return (
    <span className={classes.line}>
      {Icon && <Icon size={17} stroke={1.6} />}
      <span className={classes.label}>{label}</span>
      <span className={classes.note}>{note}</span>
      {value !== undefined && <span className={classes.value}>{value}</span>}
      {keys !== undefined && (
        <span className={classes.keys}>
          {keys.split(' ').map((key) => (
            <Kbd key={key} size="xs" ml={4}>
              {key}
            </Kbd>
          ))}
        </span>
      )}
    </span>
  )
}

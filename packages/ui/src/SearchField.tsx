import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './SearchField.module.css'

type Props = {
  /** Says what is looked through; it stands in the field as well. */
  label: string
  /** Present search text, often from the address. */
  text: string
  onText: (text: string) => void
  /** As wide as its place, not as in a toolbar. */
  wide?: boolean
  className?: string | undefined
}

/** Typing is told this many ms after the last letter. */
const restMs = 250

/** The field that narrows a list; "/" goes to it. It follows a text that is changed elsewhere. */
export function SearchField({ label, text, onText, wide = false, className }: Props) {
  const [typed, setTyped] = useState(text)
  const [told, setTold] = useState(text)
  const [seen, setSeen] = useState(text)
  const tell = useDebouncedCallback((value: string) => {
    setTold(value)
    onText(value)
  }, restMs)
  if (text !== seen) {
    setSeen(text)
    // What comes back is what was typed a moment ago; anything else came from elsewhere.
    if (text.trim() !== told.trim()) {
      setTyped(text)
      setTold(text)
    }
  }
  return (
    <TextInput
      className={`${wide ? '' : classes.search} ${className ?? ''}`}
      type="search"
      data-filter
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} stroke={1.6} />}
      value={typed}
      maxLength={200}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        tell(event.currentTarget.value)
      }}
    />
  )
}

import { useWords } from '@longreach/ui/use-words'
import { useRef, useState } from 'react'
import { SheetFault } from './sheet-fault.ts'
import { type Encoding, readTableFile, type TableFile } from './table-file.ts'
import { needWords } from '../words/spoken-words.ts'

/** Reads tables from files one after the other; what is wrong with the last one is said in words. */
export function useTableFile() {
  const t = useWords()
  const [fault, setFault] = useState<SheetFault>()
  const turn = useRef(0)
  /** Undefined where the file cannot be read, or another one was chosen meanwhile. */
  const read = async (file: File, letters?: Encoding): Promise<TableFile | undefined> => {
    const mine = (turn.current += 1)
    setFault(undefined)
    try {
      const table = await readTableFile(file, letters)
      return mine === turn.current ? table : undefined
    } catch (error) {
      const known = error instanceof SheetFault ? error : new SheetFault('broken')
      await needWords('spreadsheet')
      if (mine === turn.current) setFault(known)
      return undefined
    }
  }
  const forget = () => {
    turn.current += 1
    setFault(undefined)
  }
  const { code, cell, value } = fault ?? {}
  return { read, forget, fault: code && t(`spreadsheet.${code}`, { cell, value }) }
}

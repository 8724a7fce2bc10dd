/// <reference types="vite/client" />
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'

type File = { default: Record<string, string | MessageFormatElement[]> }

/** Every file of words, by its path. */
export const wordFiles = import.meta.glob<File>([
  '../../**/locales/**/*.json',
  '../../../../../packages/ui/locales/**/*.json',
])

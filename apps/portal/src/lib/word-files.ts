/// <reference types="vite/client" />
import type { Words } from './words.ts'

/** Every file of words, by its path. */
export const wordFiles = import.meta.glob<{ default: Words }>('../../locales/*/*.json')

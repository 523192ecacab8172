// The provider `google` for the Gemini API. It is built as a file of its own.
export { generateContent as provider } from './generate-content.js'

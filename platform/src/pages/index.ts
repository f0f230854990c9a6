/**
 * What pages for people are made of: escaped markup, and the headers that keep a page to itself.
 * Owns: escaping. Does not own: any page, any server.
 * Invariant: text becomes markup only when a template of this program says so.
 */
export { Html, html } from './html.ts';
export { HTML_TYPE, pageHeaders } from './pageHeaders.ts';

export { untrusted } from "@haft/text";

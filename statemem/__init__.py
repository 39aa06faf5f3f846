"""statemem: data-flow analysis for the memory of LLM agents."""
